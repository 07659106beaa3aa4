import { maskKey } from '../../../domains/partners/keys/keys.ts';
import type { Mode } from '../../../platform/contract/mode.ts';

export type State = Readonly<Record<string, unknown>>;

/** What it was done to, as people know it; otherwise as the log calls it. */
export function aboutOf(target: string, { email, url, last4, mode, name }: State): string {
  if (target.startsWith('partner ')) return '';
  if (typeof last4 === 'string') {
    const mask = maskKey(mode as Mode, last4);
    return typeof name === 'string' && name !== '' ? `${name} (${mask})` : mask;
  }
  const known = email ?? url;
  return typeof known === 'string' ? known : target.replace('subscription', 'webhook');
}
