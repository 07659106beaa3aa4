import { Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useAction } from '../../api/actions.ts';
import { ORDERS } from '../../api/orders.ts';
import { GiveBack } from './GiveBack.tsx';
import { NoteField } from './NoteField.tsx';
import type { Watch } from './useLate.ts';

interface DecideRefundProps {
  mode: Mode;
  orderId: string;
  /** What was shown when it was decided. */
  version: string;
  watch: Watch;
  left: string;
  goesTo: string;
  available: string;
  /** In a row of a list. */
  isSmall?: boolean;
}

/** Approve a request, wholly or in part, or reject it. */
export function DecideRefund({ mode, orderId, version, watch, isSmall = false, ...money }: DecideRefundProps) {
  const approve = useAction('refund approve', ORDERS);
  const reject = useAction('refund reject', ORDERS);
  const [note, setNote] = useState('');
  const size = isSmall ? 'xs' : 'sm';
  return (
    <Group gap={isSmall ? 'xs' : 'sm'} align="flex-start" {...(isSmall && { justify: 'flex-end' })}>
      <GiveBack
        size={size}
        label="Approve refund"
        title={`Approve the refund of order ${orderId}?`}
        orderId={orderId}
        mode={mode}
        isRequested
        version={version}
        watch={watch}
        change={approve}
        {...money}
      />
      <ConfirmButton
        size={size}
        label="Reject refund"
        title={`Reject the refund of order ${orderId}?`}
        isReady={note.trim() !== ''}
        change={{
          ...reject,
          mutateAsync: () => watch(reject.mutateAsync({ id: orderId, mode, version, note: note.trim() })),
        }}
        fields={
          <NoteField label="Note" description="Reason, which the partner reads" value={note} onChange={setNote} />
        }
      >
        Nothing is refunded, and the partner sees that its request was rejected. You can still approve it later.
      </ConfirmButton>
    </Group>
  );
}
