import { Button, Group, Stack } from '@mantine/core';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { Done } from '../../../parts/Done.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { ORDERS, type OrderDetail } from '../../api/orders.ts';
import { useMay } from '../../useMay.ts';
import { DecideRefund } from '../refunds/DecideRefund.tsx';
import { GiveBack } from '../refunds/GiveBack.tsx';
import { useLate, type Watch } from '../refunds/useLate.ts';

/** What can be done about an order now, by this operator. */
export function OrderActions({ detail }: { detail: OrderDetail }) {
  const may = useMay();
  const { late, watch } = useLate();
  const { can, mode, order, refundable } = detail;
  const isLive = mode === 'live';
  const actions = [
    may('support') && can.retry && isLive && <Retry key="retry" detail={detail} />,
    may('support') && can.resend && <Resend key="resend" detail={detail} />,
    may('money') && can.decide && (
      <DecideRefund
        key="decide"
        mode={mode}
        orderId={order.id}
        version={detail.refund_version}
        watch={watch}
        left={refundable}
        goesTo={order.billing_mode}
        available={detail.wallet.available}
      />
    ),
    may('money') && can.refund && !can.decide && <RefundOrder key="refund" detail={detail} watch={watch} />,
    may('money') && can.cancel && <Cancel key="cancel" detail={detail} />,
    may('money') && can.fail && isLive && <Fail key="fail" detail={detail} />,
    late && <Problem key="late" error={late} />,
  ].filter(Boolean);
  if (actions.length === 0) return null;
  return (
    <Group gap="sm" align="flex-start">
      {actions}
    </Group>
  );
}

function Retry({ detail: { order } }: { detail: OrderDetail }) {
  const retry = useAction('order retry', ORDERS);
  return (
    <Stack gap="xs">
      <Button variant="default" loading={retry.isPending} onClick={() => retry.mutate({ id: order.id })}>
        Try delivery now
      </Button>
      <Problem error={retry.error} />
      {retry.data && (
        <Done key={retry.submittedAt}>
          {retry.data.brought_forward ? (
            'The supplier is asked within a second or two.'
          ) : (
            <>
              It is being retried, or will be at <When at={retry.data.next_attempt_at} exact />.
            </>
          )}
        </Done>
      )}
    </Stack>
  );
}

function Resend({ detail: { mode, order, as_of } }: { detail: OrderDetail }) {
  const resend = useAction('order resend', ORDERS);
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        loading={resend.isPending}
        onClick={() => resend.mutate({ id: order.id, mode, 'as-of': as_of })}
      >
        Resend events
      </Button>
      <Problem error={resend.error} />
      {resend.data && (
        <Done key={resend.submittedAt}>
          {resend.data.resent === 0
            ? 'Nothing to send again: its events are about to be sent, were just sent again, or are too old.'
            : `${count(resend.data.resent, 'delivery', 'deliveries')} queued again.`}
        </Done>
      )}
    </Stack>
  );
}

function Cancel({ detail: { mode, order } }: { detail: OrderDetail }) {
  const cancel = useAction('order cancel', ORDERS);
  return (
    <ConfirmButton
      label="Cancel order"
      keep="Keep order"
      title={`Cancel order ${order.id}?`}
      change={{ ...cancel, mutateAsync: () => cancel.mutateAsync({ id: order.id, mode }) }}
    >
      If no supplier has it, the order fails and <Money amount={order.price} /> goes back to {order.partner.name}. If a
      supplier may have it, no other supplier is asked, and it is cancelled once that is known; an eSIM that is
      delivered meanwhile is handed back if its supplier takes it.
    </ConfirmButton>
  );
}

function Fail({ detail: { order } }: { detail: OrderDetail }) {
  const fail = useAction('order fail', ORDERS);
  return (
    <ConfirmButton
      label="Fail order"
      title={`Fail order ${order.id}?`}
      word={order.id}
      change={{ ...fail, mutateAsync: () => fail.mutateAsync({ id: order.id }) }}
    >
      {order.paid_at === null ? (
        'Anything charged is refunded, and the partner is notified that the order failed.'
      ) : (
        <>
          <Money amount={order.price} /> goes back to {order.partner.name}, and the partner is notified that the order
          failed.
        </>
      )}{' '}
      The supplier is not notified: if it delivers later, we pay for an eSIM that no one bought. This cannot be undone.
    </ConfirmButton>
  );
}

/** Refunds money that the partner has not asked for. */
function RefundOrder({
  detail: { mode, order, refundable, refund_version, wallet },
  watch,
}: {
  detail: OrderDetail;
  watch: Watch;
}) {
  const refund = useAction('order refund', ORDERS);
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
