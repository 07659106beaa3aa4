import { ORDERS, type OrderDetail } from '../../api/orders.ts';
import { useRun } from '../../api/run.ts';
import { GiveBack } from '../refunds/GiveBack.tsx';

/** Gives money back that the partner has not asked for. */
export function RefundOrder({ detail: { mode, order, refundable, wallet } }: { detail: OrderDetail }) {
  const refund = useRun<{ refunded: string }>('order refund', ORDERS);
  return (
    <GiveBack
      label="Refund"
      title={`Refund order ${order.id}?`}
      orderId={order.id}
      mode={mode}
      left={refundable}
      goesTo={order.billing_mode}
      available={wallet.available}
      change={refund}
    />
  );
}
