import { ChosenBar } from '../../../parts/ChosenBar.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import type { ManyDone } from '../../../parts/ManyOutcome.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { Chosen } from '../../../parts/useChosen.ts';
import { useAction } from '../../api/actions.ts';
import { ORDERS, type ReplacementRow } from '../../api/orders.ts';
import { decidedTogether } from '../../decidedTogether.ts';
import { Cost } from '../catalog/Cost.tsx';

interface DecideManyProps {
  mode: Mode;
  rows: readonly ReplacementRow[];
  chosen: Chosen<ReplacementRow>;
  /** They wait for a decision; those that were rejected can only be approved. */
  isOpen: boolean;
  onDone: (outcome: ManyDone) => void;
}

const MICROS = 1_000_000;

/** Approves or rejects all chosen requests after one confirmation that shows their number and cost. */
export function DecideMany({ mode, rows, chosen, isOpen, onDone }: DecideManyProps) {
  const approve = useAction('replacement approve-many', ORDERS);
  const reject = useAction('replacement reject-many', ORDERS);
  const number = chosen.rows.length;
  const partners = new Set(chosen.rows.map(({ order }) => order.partner.id)).size;
  const known = chosen.rows.flatMap(({ cost }) => cost ?? []);
  // In millionths: a sum of decimals would not be exact.
  const sum = (known.reduce((all, cost) => all + Math.round(Number(cost) * MICROS), 0) / MICROS).toFixed(6);
  const unknown = number - known.length;
  const input = { orders: chosen.rows.map(({ order }) => order.id).join(','), mode };
  const decide = async ({ mutateAsync }: typeof approve | typeof reject, made: (number: number) => string) => {
    const answer = await mutateAsync(input);
    onDone(decidedTogether(mode, answer, made(answer.decided.length)));
    chosen.set([]);
  };
  return (
    <ChosenBar rows={rows} chosen={chosen} sum={`${count(number, 'request')} chosen`}>
      <ConfirmButton
        size="xs"
        tone="give"
        label={`Replace ${count(number, 'eSIM')}`}
        title={`Replace ${count(number, 'eSIM')}?`}
        change={{
          ...approve,
          mutateAsync: () => decide(approve, (made) => `${count(made, 'new eSIM')} ordered.`),
        }}
      >
        A new eSIM of the same plan is ordered for each, for {count(partners, 'partner')}. Together they cost you{' '}
        <Cost amount={sum} />
        {unknown > 0 && ` and what ${count(unknown, 'eSIM')} of unknown cost will cost`}, and the partners nothing.
        Requests that a colleague has decided meanwhile are skipped and listed afterwards.
      </ConfirmButton>
      {isOpen && (
        <ConfirmButton
          size="xs"
          label={`Reject ${count(number, 'request')}`}
          title={`Reject ${count(number, 'request')}?`}
          change={{
            ...reject,
            mutateAsync: () => decide(reject, (made) => `${count(made, 'request')} rejected.`),
          }}
        >
          The eSIMs stay as they are, and {count(partners, 'partner')} {partners === 1 ? 'sees' : 'see'} that the
          requests were rejected. You can still approve them later.
        </ConfirmButton>
      )}
    </ChosenBar>
  );
}
