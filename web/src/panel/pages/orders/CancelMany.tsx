import { ChosenBar } from '../../../parts/ChosenBar.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import type { ManyDone } from '../../../parts/ManyOutcome.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import type { Chosen } from '../../../parts/useChosen.ts';
import type { OrderRow } from '../../api/orders.ts';
import { type ChangedTogether, cancelOrders } from '../../api/several.ts';
import { paths } from '../../paths.ts';

interface CancelManyProps {
  mode: Mode;
  /** Those that are still open. */
  rows: readonly OrderRow[];
  chosen: Chosen<OrderRow>;
  onDone: (outcome: ManyDone) => void;
}

/** Cancels all chosen orders after one confirmation that shows their number and total. */
export function CancelMany({ mode, rows, chosen, onDone }: CancelManyProps) {
  const cancel = useChange((ids: readonly string[]) => cancelOrders(mode, ids), [mode]);
  const which = count(chosen.rows.length, 'order');
  // In cents: a sum of decimals would not be exact.
  const sum = dollars(chosen.rows.reduce((cents, { price }) => cents + Math.round(Number(price) * 100), 0) / 100);
  const send = async () => {
    onDone(outcome(mode, await cancel.mutateAsync(chosen.rows.map(({ id }) => id))));
    chosen.set([]);
  };
  return (
    <ChosenBar rows={rows} chosen={chosen} sum={`${which} chosen, ${sum}`}>
      <ConfirmButton
        size="xs"
        label={`Cancel ${which}`}
        keep={chosen.rows.length === 1 ? 'Keep order' : 'Keep orders'}
        title={`Cancel ${which} of ${sum}?`}
        change={{ ...cancel, mutateAsync: send }}
      >
        An order that no supplier has yet fails, and its whole price goes back to your account. If a supplier may have
        one, we find out; an eSIM that is delivered meanwhile is handed back if its supplier takes it. Otherwise it is
        too late, and the eSIM is yours. Afterwards the page lists what could not be cancelled.
      </ConfirmButton>
    </ChosenBar>
  );
}

function outcome(mode: Mode, { done, refused }: ChangedTogether): ManyDone {
  const of = (wanted: string) => done.filter(({ status }) => status === wanted);
  const [cancelled, requested] = [of('cancelled').length, of('requested').length];
  const parts = [
    (cancelled > 0 || requested === 0) && `${count(cancelled, 'order')} cancelled.`,
    requested > 0 && `${count(requested, 'order')} will be, unless a supplier delivers first.`,
  ];
  const late = of('too_late').map(({ id }) => ({ id, why: 'It was delivered or had failed before.' }));
  return {
    made: parts.filter(Boolean).join(' '),
    refused: [...refused, ...late].map(({ id, why }) => ({ name: `Order ${id}`, to: paths.order(mode, id), why })),
  };
}
