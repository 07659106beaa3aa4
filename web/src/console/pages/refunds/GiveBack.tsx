import { NumberInput, Stack } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import type { ActionChange } from '../../api/actions.ts';
import { MAX_NOTE, NoteField } from './NoteField.tsx';
import type { Watch } from './useLate.ts';

interface GiveBackProps {
  label: string;
  title: string;
  orderId: string;
  mode: Mode;
  /** What was shown when it was decided. */
  version: string;
  watch: Watch;
  /** What is left of the price. */
  left: string;
  /** How the order was paid: the money goes back there. */
  goesTo: string;
  /** What the partner can spend now. */
  available: string;
  /** Whether it grants a refund the partner asked for. */
  isRequested?: boolean;
  size?: 'xs' | 'sm';
  change: ActionChange<'order refund'> | ActionChange<'refund approve'>;
}

/** Refunds an order in full or in part. The dialog shows where the money goes and the resulting balance. */
export function GiveBack({
  label,
  title,
  orderId,
  mode,
  version,
  watch,
  left,
  goesTo,
  available,
  isRequested = false,
  size = 'sm',
  change,
}: GiveBackProps) {
  const [amount, setAmount] = useState<string | number>(Number(left));
  const [note, setNote] = useState('');
  const given = Number(amount);
  const isValid = given > 0 && given <= Number(left);
  const isCredit = goesTo === 'postpaid';
  const input = {
    id: orderId,
    mode,
    version,
    note: note.trim(),
    // Without an amount all of it is refunded, even while the supplier is still being asked about a refund.
    ...(given === Number(left) ? {} : { amount: given.toFixed(2) }),
  };
  return (
    <Stack gap="xs">
      <ConfirmButton
        size={size}
        label={label}
        title={title}
        tone={isRequested ? 'give' : 'danger'}
        isReady={isValid && note.length <= MAX_NOTE}
        change={{ ...change, mutateAsync: () => watch(change.mutateAsync(input)) }}
        fields={
          <>
            <NumberInput
              label="Amount in US dollars"
              description={`At most ${Number(left).toFixed(2)}, the rest of the price`}
              value={amount}
              onChange={setAmount}
              min={0.01}
              max={Number(left)}
              decimalScale={2}
              fixedDecimalScale
              hideControls
            />
            <NoteField
              label="Note (optional)"
              description="The partner sees it with the refund"
              value={note}
              onChange={setNote}
            />
          </>
        }
      >
        <Money amount={isValid ? given : 0} /> goes back to the partner’s {isCredit ? 'credit line' : 'balance'}: it can
        spend <Money amount={available} /> now and <Money amount={Number(available) + (isValid ? given : 0)} />{' '}
        afterwards. A revenue share paid on this order is taken back in proportion. The eSIM keeps working, and the
        partner gets the event order.refunded.
      </ConfirmButton>
      {change.data && (
        <Done key={change.submittedAt}>
          <Money amount={change.data.refunded} /> went back.
        </Done>
      )}
    </Stack>
  );
}
