import { Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { ORDERS } from '../../api/orders.ts';
import { useRun } from '../../api/run.ts';
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
}

/** Approve a request, wholly or in part, or reject it. */
export function DecideRefund({ mode, orderId, version, watch, ...money }: DecideRefundProps) {
  const approve = useRun<{ refunded: string }>('refund approve', ORDERS);
  const reject = useRun('refund reject', ORDERS);
  const [note, setNote] = useState('');
  return (
    <Group gap="sm" align="flex-start">
      <GiveBack
        label="Approve refund"
        title={`Approve the refund of order ${orderId}?`}
        orderId={orderId}
        mode={mode}
        isAsked
        version={version}
        watch={watch}
        change={approve}
        {...money}
      />
      <ConfirmButton
        label="Reject refund"
        title={`Reject the refund of order ${orderId}?`}
        isReady={note.trim() !== ''}
        change={{
          ...reject,
          mutateAsync: () => watch(reject.mutateAsync({ id: orderId, mode, version, note: note.trim() })),
        }}
        fields={<NoteField label="Note" description="Why; the partner reads it" value={note} onChange={setNote} />}
      >
        Nothing goes back, and the partner sees that its request was rejected. You can still approve it later.
      </ConfirmButton>
    </Group>
  );
}
