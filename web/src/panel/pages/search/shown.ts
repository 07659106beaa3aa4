import type { SearchResult } from '../../api/search.ts';
import { paths } from '../../paths.ts';

/** The page a result leads to. */
export function pathOf(result: SearchResult): string {
  const { mode } = result;
  switch (result.kind) {
    case 'esim':
      return paths.esim(mode, result.iccid);
    case 'order':
      return paths.order(mode, result.id);
    case 'payment':
      return paths.money(mode);
    case 'delivery':
      return `${paths.webhook(mode, result.subscription_id)}?delivery=${result.id}`;
    case 'destination':
      return paths.destination(mode, result.code);
    case 'plan':
      return paths.plan(mode, result.id);
  }
}

export const keyOf = (result: SearchResult): string =>
  pathOf(result) + ('payment_key' in result ? result.payment_key : '');
