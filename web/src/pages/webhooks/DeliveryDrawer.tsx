import { Anchor, Button, Drawer, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { useChange } from '../../api/queries.ts';
import { deliveryError } from '../../api/reasons.ts';
import { type DeliveryDetail, delivery, requeue } from '../../api/webhooks.ts';
import { CodeBlock, Copyable } from '../../components/Copy.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Problem } from '../../components/Problem.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { DeliveryStatus } from './DeliveryStatus.tsx';

/** One delivery, opened over the list: what was sent and what came back. */
export function DeliveryDrawer({ mode, isHeld }: { mode: Mode; isHeld: boolean }) {
  const [search, setSearch] = useSearchParams();
  const id = search.get('delivery') ?? '';
  const close = () => {
    search.delete('delivery');
    setSearch(search, { replace: true, preventScrollReset: true });
  };
  return (
    <Drawer opened={id !== ''} onClose={close} position="right" size="lg" title={`Delivery ${id}`}>
      {id !== '' && <Content mode={mode} id={id} isHeld={isHeld} />}
    </Drawer>
  );
}

/** A queued delivery is sent in the background; the drawer follows it. */
const EVERY_MS = 5_000;

function Content({ mode, id, isHeld }: { mode: Mode; id: string; isHeld: boolean }) {
  const found = useQuery({ ...delivery(mode, id), refetchInterval: EVERY_MS });
  const again = useChange(() => requeue(mode, id), [mode, 'webhook/deliveries']);
  return (
    <Loaded query={found} lines={8}>
      {(detail) => (
        <Stack>
          <About detail={detail} mode={mode} isHeld={isHeld} />
          {detail.delivery.status === 'dead' && (
            <Button loading={again.isPending} onClick={() => again.mutate(undefined)}>
              Send again
            </Button>
          )}
          <Problem error={again.error} />
          <Bodies detail={detail} />
        </Stack>
      )}
    </Loaded>
  );
}

function About({ detail: { delivery: it }, mode, isHeld }: { detail: DeliveryDetail; mode: Mode; isHeld: boolean }) {
  return (
    <Facts
      facts={[
        ['Status', <DeliveryStatus key="status" status={it.status} isHeld={isHeld} />],
        [
          'Event',
          <span key="event" className="mono">
            {it.event_type}
          </span>,
        ],
        ['Event id', <Copyable key="id" value={it.event_id} what="the event id" />],
        [
          'Order',
          it.sale_id !== '0' && (
            <Anchor key="order" component={Link} to={paths.order(mode, it.sale_id)} className="mono">
              {it.sale_id}
            </Anchor>
          ),
        ],
        ['Attempts', `${it.attempts} of ${it.max_attempts}`],
        ['HTTP status', it.http_code],
        ['Duration', it.duration_ms && `${it.duration_ms} ms`],
        ['Error', it.error && deliveryError(it.error)],
        ['Queued (UTC)', <When key="date" at={it.date} />],
        ['Sent (UTC)', <When key="sent" at={it.sent_at} never="Not yet" />],
      ]}
    />
  );
}

function Bodies({ detail }: { detail: DeliveryDetail }) {
  return (
    <>
      <Text size="sm" fw={500}>
        Request body
      </Text>
      {detail.payload_pruned ? (
        <Text size="sm" c="dimmed">
          The body is no longer stored.
        </Text>
      ) : (
        <CodeBlock text={detail.payload} what="the body" />
      )}
      {detail.delivery.response_body !== '' && (
        <>
          <Text size="sm" fw={500}>
            Response
          </Text>
          <CodeBlock text={detail.delivery.response_body} what="the response" />
        </>
      )}
      <Text size="xs" c="dimmed">
        {detail.signature_rule}
      </Text>
    </>
  );
}
