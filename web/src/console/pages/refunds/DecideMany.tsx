import { useState } from 'react';
import { ChosenBar } from '../../../parts/ChosenBar.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import type { ManyDone } from '../../../parts/ManyOutcome.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { Chosen } from '../../../parts/useChosen.ts';
import { useAction } from '../../api/actions.ts';
import { ORDERS, type RefundRow } from '../../api/orders.ts';
import { decidedTogether } from '../../decidedTogether.ts';
import { MAX_NOTE, NoteField } from './NoteField.tsx';

interface DecideManyProps {
  mode: Mode;
  rows: readonly RefundRow[];
  chosen: Chosen<RefundRow>;
  onDone: (outcome: ManyDone) => void;
}

/** Approves or rejects all chosen requests after one confirmation that shows their number and total. */
export function DecideMany({ mode, rows, chosen, onDone }: DecideManyProps) {
  const approve = useAction('refund approve-many', ORDERS);
  const reject = useAction('refund reject-many', ORDERS);
  const [note, setNote] = useState('');
  const number = chosen.rows.length;
  // In cents: a sum of decimals would not be exact.
  const sum = dollars(chosen.rows.reduce((cents, { left }) => cents + Math.round(Number(left) * 100), 0) / 100);
  const partners = new Set(chosen.rows.map(({ order }) => order.partner.id)).size;
  const input = {
    orders: chosen.rows.map(({ order, version }) => `${order.id}=${version}`).join(','),
    mode,
    note: note.trim(),
  };
  const decide = async ({ mutateAsync }: typeof approve | typeof reject, isApproved: boolean) => {
    const answer = await mutateAsync(input);
    const { decided, refunded } = answer;
    const made = isApproved
      ? `${count(decided.length, 'refund')} approved: ${dollars(refunded)} went back.`
      : `${count(decided.length, 'request')} rejected.`;
    onDone(decidedTogether(mode, answer, made));
    chosen.set([]);
    setNote('');
  };
  return (
    <ChosenBar rows={rows} chosen={chosen} sum={`${count(number, 'request')} chosen, ${sum}`}>
      <ConfirmButton
        size="xs"
        tone="give"
        label={`Approve ${count(number, 'request')}`}
        title={`Approve ${count(number, 'request')} for ${sum}?`}
        isReady={note.length <= MAX_NOTE}
        change={{ ...approve, mutateAsync: () => decide(approve, true) }}
        fields={
          <NoteField
            label="Note (optional)"
            description="Each partner sees it with its refund"
            value={note}
            onChange={setNote}
          />
        }
      >
        {sum} goes back to {count(partners, 'partner')}, {count(number, 'refund')} in total, each for the rest of its
        price. A revenue share paid on an order is taken back in proportion. The eSIMs keep working. Requests that a
        colleague has decided meanwhile are skipped and listed afterwards.
      </ConfirmButton>
      <ConfirmButton
        size="xs"
        label={`Reject ${count(number, 'request')}`}
        title={`Reject ${count(number, 'request')} for ${sum}?`}
        isReady={note.trim() !== '' && note.length <= MAX_NOTE}
        change={{ ...reject, mutateAsync: () => decide(reject, false) }}
        fields={
          <NoteField
            label="Reason"
            description="Reason, which all of these partners read"
            value={note}
            onChange={setNote}
          />
        }
      >
        Nothing is refunded: {count(partners, 'partner')} asked for {sum} in {count(number, 'request')}, and each sees
        that it was rejected. You can still approve one later.
      </ConfirmButton>
    </ChosenBar>
  );
}
