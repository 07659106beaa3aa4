import { useQuery } from '@tanstack/react-query';
import { useRecentPages } from '../../../subjects/search/recentPages.ts';
import { SearchDialog as Dialog } from '../../../subjects/search/SearchDialog.tsx';
import { type SearchResult, search } from '../../api/search.ts';
import { me } from '../../api/session.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { useActions, usePlaces } from './places.ts';
import { Result } from './Result.tsx';

export function SearchDialog(props: { isOpen: boolean; onClose: () => void }) {
  const { mode } = useMode();
  const email = useQuery(me).data?.member.email;
  const actions = useActions(mode);
  return (
    <Dialog
      {...props}
      ask={(text) => ({ key: [mode, 'search', text], run: () => search(mode, text) })}
      pathOf={pathOf}
      keyOf={keyOf}
      shown={(result) => <Result result={result} />}
      pages={[...actions, ...usePlaces(mode)]}
      first={[...useRecentPages(email), ...actions]}
      label="Order, ICCID, plan, destination, page, setting, action"
      about="Finds orders by id, reference or idempotency key, eSIMs by ICCID, payments, invoices and webhook deliveries, in live and sandbox; destinations, plans, pages and settings by name. Beginnings are enough, and case does not matter."
      nothing="Nothing has this name, id, number or reference. For an ICCID, type more digits."
    />
  );
}

/** The page a result leads to. */
function pathOf(result: SearchResult): string {
  const { mode } = result;
  switch (result.kind) {
    case 'esim':
      return paths.esim(mode, result.iccid);
    case 'order':
      return paths.order(mode, result.id);
    case 'payment':
      return paths.money(mode);
    case 'invoice':
    case 'credit_note':
      return paths.invoice(mode, result.number);
    case 'delivery':
      return `${paths.webhook(mode, result.subscription_id)}?delivery=${result.id}`;
    case 'destination':
      return paths.destination(mode, result.code);
    case 'plan':
      return paths.plan(mode, result.id);
  }
}

const keyOf = (result: SearchResult): string => pathOf(result) + ('payment_key' in result ? result.payment_key : '');
