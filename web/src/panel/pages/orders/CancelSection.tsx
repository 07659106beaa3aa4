import { Badge, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { isDelivered } from '../../../subjects/orders/OrderStatus.tsx';
import { type Cancel, cancelOrder, type OrderDetail } from '../../api/orders.ts';

/** The outcome of a requested cancellation. */
export function CancelSection({ detail }: { detail: OrderDetail }) {
  const { cancel } = detail;
  if (!cancel) return null;
  return (
    <Section title="Cancel" actions={<CancelStatus of={cancel} />}>
      <Stack gap="sm">
        <Text size="sm">{meaning(detail, cancel)}</Text>
        <Facts
          facts={[
            ['Requested', <When key="requested" at={cancel.requested_at} />],
            ['Decided', cancel.decided_at && <When key="decided" at={cancel.decided_at} />],
          ]}
        />
      </Stack>
    </Section>
  );
}

/** The button that cancels an order that is still open. */
export function CancelOrder({ mode, orderId }: { mode: Mode; orderId: string }) {
  const ask = useChange(() => cancelOrder(mode, orderId), [mode]);
  return (
    <ConfirmButton
      size="xs"
      label="Cancel order"
      keep="Keep order"
      title={`Cancel order ${orderId}?`}
      change={{ ...ask, mutateAsync: () => ask.mutateAsync(undefined) }}
    >
      If no supplier has the order yet, it fails and the whole price goes back to your account. If a supplier may have
      it, we find out; an eSIM that is delivered meanwhile is handed back if its supplier takes it. Otherwise it is too
      late, and the eSIM is yours.
    </ConfirmButton>
  );
}

function CancelStatus({ of }: { of: Cancel }) {
  if (of.status === 'requested') return <Badge color="yellow">Cancel requested</Badge>;
  return of.status === 'cancelled' ? <Badge color="gray">Cancelled</Badge> : <Badge color="gray">Too late</Badge>;
}

function meaning({ order }: OrderDetail, cancel: Cancel): string {
  if (cancel.status === 'requested')
    return isDelivered(order.status)
      ? 'The eSIM was delivered meanwhile, and its supplier is asked to withdraw it. Don’t hand it out: once withdrawn, it no longer works.'
      : 'A supplier may have this order. It is cancelled as soon as we know that it will not be delivered.';
  if (cancel.status === 'cancelled') return 'The whole price went back to your account.';
  return isDelivered(order.status)
    ? 'The eSIM was delivered before the order could be cancelled, so it is yours.'
    : 'The order had already failed, and costs you nothing.';
}
