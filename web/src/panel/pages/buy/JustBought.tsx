import { Anchor, Group, Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Mode } from '../../../parts/mode.ts';
import { isOpen } from '../../../subjects/orders/OrderStatus.tsx';
import { order } from '../../api/orders.ts';
import { shareLink } from '../../api/share.ts';
import { paths } from '../../paths.ts';

const EVERY_MS = 2_000;

/** What a purchase brought, where it was made: the QR code and the page for the traveller, as soon as they are there. */
export function JustBought({ mode, orderId }: { mode: Mode; orderId: string }) {
  const found = useQuery({
    ...order(mode, orderId),
    refetchInterval: ({ state: { data } }) => (data && isOpen(data.order.status) ? EVERY_MS : false),
  }).data;
  const hasCode = found?.esim.qrcode_url;
  const share = useQuery({ ...shareLink(mode, orderId), enabled: Boolean(hasCode) }).data?.share;
  const toOrder = (
    <Anchor component={Link} to={paths.order(mode, orderId)} size="sm" className="target">
      Order {orderId}
    </Anchor>
  );
  if (!found || isOpen(found.order.status))
    return (
      <Group gap="xs" role="status">
        <Loader size="xs" aria-hidden="true" />
        <Text size="sm">The eSIM is on its way.</Text>
        {toOrder}
      </Group>
    );
  if (!hasCode)
    return (
      <Group gap="xs" role="status">
        <Text size="sm">It was not delivered.</Text>
        {toOrder}
      </Group>
    );
  return (
    <Group gap="md" align="center" wrap="wrap" role="status">
      <img
        src={hasCode}
        width={132}
        height={132}
        alt="QR code that installs this eSIM"
        style={{ padding: 6, background: '#fff', borderRadius: 8 }}
      />
      <Stack gap={2}>
        <Text size="sm" fw={500}>
          {found.order.title_display}: delivered
        </Text>
        <Text size="sm" c="dimmed" maw={360}>
          {mode === 'sandbox' ? 'A test code: it installs nothing. ' : ''}The traveller scans it, or opens their page.
        </Text>
        {share?.url && (
          <Anchor href={share.url} target="_blank" rel="noreferrer" size="sm" className="target">
            Open the traveller’s page
          </Anchor>
        )}
        {toOrder}
      </Stack>
    </Group>
  );
}
