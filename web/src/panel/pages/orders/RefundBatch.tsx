import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { dollars } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import { MAX_REASON, orders } from '../../api/orders.ts';
import { type ChangedTogether, MOST_ROWS, requestRefunds } from '../../api/several.ts';
import { ReasonField } from './ReasonField.tsx';

/** Requests a refund of every delivered order of a batch, as a group that stays at home needs it. */
export function RefundBatch({ mode, batch }: { mode: Mode; batch: string }) {
  const found = useQuery(orders(mode, { batch }, MOST_ROWS)).data?.orders ?? [];
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

function outcome({ done, refused }: ChangedTogether): string {
  const back = done.filter(({ status }) => status === 'refunded');
  const amount = back.reduce((cents, refund) => cents + Math.round(Number(refund.amount) * 100), 0) / 100;
  const requested = done.length - back.length;
  const parts = [
    back.length > 0 && `${count(back.length, 'order')} refunded: ${dollars(amount)} went back to your account.`,
    requested > 0 && `${count(requested, 'request')} wait${requested === 1 ? 's' : ''} for an answer.`,
    refused.length > 0 && `${count(refused.length, 'order')} can’t be refunded.`,
  ];
  return parts.filter(Boolean).join(' ');
}
