import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { MOST_IN_BATCH, type RefundsRequested, requestRefunds } from '../../api/batchRefunds.ts';
import { MAX_REASON, orders } from '../../api/orders.ts';
import { ReasonField } from './ReasonField.tsx';

/** Requests a refund of every delivered order of a batch, as a group that stays at home needs it. */
export function RefundBatch({ mode, batch }: { mode: Mode; batch: string }) {
  const found = useQuery(orders(mode, { batch }, MOST_IN_BATCH)).data?.orders ?? [];
  const [reason, setReason] = useState('');
  const delivered = found.filter(({ state }) => state === 'delivered');
  const ask = useChange((ids: readonly string[]) => requestRefunds(mode, ids, reason), [mode]);
  const which = delivered.length === 1 ? '1 order' : `all ${delivered.length} orders`;
  return (
    <>
      {ask.data && <Done>{outcome(ask.data)}</Done>}
      {delivered.length > 0 && (
        <ConfirmButton
          size="xs"
          label={`Request refund of ${which}`}
          title={`Request a refund of ${which}?`}
          change={{ ...ask, mutateAsync: () => ask.mutateAsync(delivered.map(({ id }) => id)) }}
          isReady={[...reason].length <= MAX_REASON}
          fields={<ReasonField value={reason} onChange={setReason} />}
        >
          A refund is requested for each delivered order of batch {batch}. Unused eSIMs that their supplier takes back
          are refunded at once and stop working; for the others, the operator decides. Requests made before stay as they
          are.
        </ConfirmButton>
      )}
    </>
  );
}

function outcome({ refunded, amount, requested, refused }: RefundsRequested): string {
  const parts = [
    refunded > 0 && `${count(refunded, 'order')} refunded: ${dollars(amount)} went back to your account.`,
    requested > 0 && `${count(requested, 'request')} wait${requested === 1 ? 's' : ''} for an answer.`,
    refused > 0 && `${count(refused, 'order')} can’t be refunded.`,
  ];
  return parts.filter(Boolean).join(' ');
}
