import { Badge, Stack, Text } from '@mantine/core';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { isDelivered, isOpen } from '../../../subjects/orders/OrderStatus.tsx';
import { type Cancel, cancelOrder, type OrderDetail } from '../../api/orders.ts';
import { useMay } from '../../useMay.ts';

interface CancelProps {
  mode: Mode;
  detail: OrderDetail;
}

/** What came of a cancel, or the way to one. An order that is over has neither, unless it was asked for before. */
export function CancelSection({ mode, detail }: CancelProps) {
  const { order, cancel } = detail;
  const may = useMay();
  const ask = useChange(() => cancelOrder(mode, order.id), [mode]);
  if (!cancel && !(may('spend') && isOpen(order.status))) return null;
  return (
    <Section title="Cancel" actions={cancel && <CancelStatus of={cancel} />}>
      {cancel ? (
        <Stack gap="sm">
          <Text size="sm">{meaning(detail, cancel)}</Text>
          <Facts
            facts={[
              ['Requested (UTC)', <When key="requested" at={cancel.requested_at} />],
              ['Decided (UTC)', cancel.decided_at && <When key="decided" at={cancel.decided_at} />],
            ]}
          />
        </Stack>
      ) : (
        <div>
          <ConfirmButton
            size="xs"
            label="Cancel order"
            keep="Keep order"
            title={`Cancel order ${order.id}?`}
            change={{ ...ask, mutateAsync: () => ask.mutateAsync(undefined) }}
          >
            If no supplier has the order yet, it fails and the whole price goes back to your account. If a supplier may
            have it, we find out; an eSIM that is delivered meanwhile is handed back if its supplier takes it. Otherwise
            it is too late, and the eSIM is yours.
          </ConfirmButton>
        </div>
      )}
    </Section>
  );
}

function CancelStatus({ of }: { of: Cancel }) {
  if (of.status === 'requested') return <Badge color="yellow">Cancel requested</Badge>;
  return of.status === 'cancelled' ? <Badge color="teal">Cancelled</Badge> : <Badge color="gray">Too late</Badge>;
}

function meaning({ order }: OrderDetail, cancel: Cancel): string {
  if (cancel.status === 'requested')
    return isDelivered(order.status)
      ? 'The eSIM was delivered meanwhile. Its supplier is asked to take it back. Don’t hand it out: once it is taken back, it no longer works.'
      : 'A supplier may have this order. It is cancelled as soon as it turns out that nobody delivers it.';
  if (cancel.status === 'cancelled') return 'The whole price went back to your account.';
  return isDelivered(order.status)
    ? 'The eSIM was delivered before the order could be cancelled, so it is yours.'
    : 'The order had failed before, and costs you nothing.';
}
