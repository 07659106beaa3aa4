import { useState } from 'react';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { useChange } from '../../../parts/server/useChange.ts';
import type { EsimDetail } from '../../api/esims.ts';
import { isRefill, MAX_REASON, type OrderDetail, requestRefund } from '../../api/orders.ts';
import { ReasonField } from './ReasonField.tsx';

interface RequestRefundProps {
  mode: Mode;
  detail: OrderDetail;
  /** Undefined: not read yet. */
  known: EsimDetail | undefined;
}

/** The button that requests a refund or, once there is one, its outcome. */
export function RequestRefund({ mode, detail, known }: RequestRefundProps) {
  const { order, refund } = detail;
  const [reason, setReason] = useState('');
  const ask = useChange(() => requestRefund(mode, order.id, reason), [mode]);
  const change = { ...ask, mutateAsync: () => ask.mutateAsync(undefined) };
  return (
    <>
      {refund === null && (
        <div>
          <ConfirmButton
            size="xs"
            label="Request refund"
            title={`Request a refund of order ${order.id}?`}
            change={change}
            isReady={[...reason].length <= MAX_REASON}
            fields={<ReasonField value={reason} onChange={setReason} />}
          >
            {whatHappens(detail, known)}
          </ConfirmButton>
        </div>
      )}
      {ask.data && (
        <Done>
          {ask.data.refund.status === 'refunded' ? (
            <>
              <Money amount={ask.data.refund.amount} /> went back to your account.
            </>
          ) : (
            'Your request is recorded. The answer will be shown here.'
          )}
        </Done>
      )}
    </>
  );
}

const OPERATOR = 'the operator decides whether you get the price back, in full or in part.';

/** Why the supplier is not asked to take the eSIM back; undefined: it may be. */
export function whyKept(detail: OrderDetail, known: EsimDetail | undefined): string | undefined {
  if (isRefill(detail)) return 'A refill can’t be taken back';
  if (known?.orders.some(({ product_type }) => product_type === 'refill')) return 'This eSIM was refilled';
  if (known && known.esim.state !== 'not_active') return 'This eSIM was activated';
  return undefined;
}

/** The server decides when it gets the request; only what can no longer change is stated here. */
function whatHappens(detail: OrderDetail, known: EsimDetail | undefined): string {
  const kept = whyKept(detail, known);
  if (kept !== undefined) return `${kept}, so ${OPERATOR}`;
  return (
    'If the eSIM was never activated and its supplier withdraws it, it stops working at once and for good, and the whole ' +
    `price goes back to your account. Otherwise ${OPERATOR}`
  );
}
