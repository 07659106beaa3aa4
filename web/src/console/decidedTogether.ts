import type { ManyDone } from '../parts/ManyOutcome.tsx';
import type { Mode } from '../parts/mode.ts';
import { paths } from './paths.ts';

interface Decided {
  readonly refused: readonly { readonly order_id: number; readonly why: string }[];
}

/** The outcome of an action on several orders, as the page shows it. */
export const decidedTogether = (mode: Mode, { refused }: Decided, made: string): ManyDone => ({
  made,
  refused: refused.map(({ order_id, why }) => ({ name: `Order ${order_id}`, to: paths.order(order_id, mode), why })),
});
