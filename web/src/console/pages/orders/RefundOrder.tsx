import { ORDERS, type OrderDetail } from '../../api/orders.ts';
import { useRun } from '../../api/run.ts';
import { GiveBack } from '../refunds/GiveBack.tsx';
import type { Watch } from '../refunds/useLate.ts';

/** Gives money back that the partner has not asked for. */
export function RefundOrder({
  detail: { mode, order, refundable, refund_version, wallet },
  watch,
}: {
  detail: OrderDetail;
  watch: Watch;
}) {
  const refund = useRun<{ refunded: string }>('order refund', ORDERS);
  return (
    <GiveBack
      label="Refund"
      title={`Refund order ${order.id}?`}
      orderId={order.id}
      mode={mode}
      version={refund_version}
      watch={watch}
      left={refundable}
      goesTo={order.billing_mode}
      available={wallet.available}
      change={refund}
    />
  );
}
