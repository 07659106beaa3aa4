import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { AddressDrawer } from '../../../parts/AddressDrawer.tsx';
import { Copyable } from '../../../parts/Copy.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Problem } from '../../../parts/Problem.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { DeliveryStatus, isWaiting } from '../../../subjects/webhooks/DeliveryStatus.tsx';
import { deliveryError } from '../../../subjects/webhooks/deliveryError.ts';
import type { Delivery } from '../../../subjects/webhooks/webhooks.ts';
import { type DeliveryDetail, delivery, resend } from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { useMay } from '../../useMay.ts';
import { Attempts } from './Attempts.tsx';
import { Body } from './Body.tsx';

/** One delivery, opened over the list: what was sent and what came back. */
export const DeliveryDrawer = ({ mode }: { mode: Mode }) => (
  <AddressDrawer name="delivery" title={(id) => `Delivery ${id}`}>
    {(id) => <Content key={id} mode={mode} id={id} />}
  </AddressDrawer>
);

/** A queued delivery is sent in the background; the drawer follows it, and more closely while something is about to happen. */
const EVERY_MS = 5_000;
const SOON_MS = 1_000;
const everyMs = (detail: DeliveryDetail | undefined): number =>
  detail && !detail.delivery.is_held && (detail.delivery.is_under_way || detail.delivery.status === 'pending')
    ? SOON_MS
    : EVERY_MS;

function Content({ mode, id }: { mode: Mode; id: string }) {
  const isView = useIsView();
  const found = useQuery({ ...delivery(mode, id), refetchInterval: ({ state }) => everyMs(state.data) });
  const again = useChange((as_of: string) => resend(mode, id, as_of), [mode, 'webhooks']);
  return (
    <Loaded query={found} lines={8}>
      {(detail) => (
        <Stack>
          <About of={detail.delivery} mode={mode} />
          <SendAgain of={detail} isPending={again.isPending} onClick={() => again.mutate(detail.as_of)} />
          {again.data && <Done key={again.submittedAt}>Queued. The attempt appears below in a moment.</Done>}
          <Problem error={again.error} />
          {detail.payload === null ? (
            <Text size="sm" c="dimmed">
              The body is no longer stored, so this delivery can’t be sent again.
            </Text>
          ) : isView ? (
            <Text size="sm" c="dimmed">
              Bodies and headers are hidden here, because they can contain activation codes.
            </Text>
          ) : (
            <Body title="Request body" text={detail.payload} what="the body" />
          )}
          <Attempts of={detail.delivery} attempts={detail.attempts} />
          <Text size="xs" c="dimmed">
            X-Signature is made from the timestamp, a dot and the body as sent.{' '}
            <Anchor component={Link} to={`${paths.webhooks(mode)}#verify`} size="xs">
              How to verify it
            </Anchor>
          </Text>
        </Stack>
      )}
    </Loaded>
  );
}

interface SendAgainProps {
  of: DeliveryDetail;
  isPending: boolean;
  onClick: () => void;
}

/** Whether it can be sent again: not while it is about to be sent, nor once its body was deleted. */
function SendAgain({ of: { delivery: it, payload }, isPending, onClick }: SendAgainProps) {
  const may = useMay();
  if (!may('develop') || payload === null || it.is_under_way || it.status === 'pending') return null;
  // A delivery on hold waits for its subscription, whatever is clicked here.
  if (it.status === 'failed' && it.is_held) return null;
  return (
    <Button loading={isPending} onClick={onClick}>
      {it.status === 'failed' ? 'Retry now' : 'Send again'}
    </Button>
  );
}

function About({ of: it, mode }: { of: Delivery; mode: Mode }) {
  return (
    <Facts
      facts={[
        ['Status', <DeliveryStatus key="status" of={it} />],
        ['Next attempt', isWaiting(it) && <NextAttempt key="next" of={it} />],
        [
          'Event',
          <span key="event" className="mono">
            {it.event}
          </span>,
        ],
        ['Event id', <Copyable key="id" value={it.event_id} what="the event id" />],
        [
          'Order',
          it.order_id !== null && (
            <Anchor key="order" component={Link} to={paths.order(mode, it.order_id)} className="mono">
              {it.order_id}
            </Anchor>
          ),
        ],
        ['Attempts', attemptsOf(it)],
        ['Last error', it.error && deliveryError(it.error)],
        ['Queued', <When key="date" at={it.created_at} />],
        ['Delivered at', <When key="sent" at={it.sent_at} never="Not yet" />],
      ]}
    />
  );
}

function NextAttempt({ of: { is_held, is_under_way, next_attempt_at } }: { of: Delivery }) {
  if (is_held) return <span>When the webhook is active again</span>;
  if (is_under_way) return <span>Now</span>;
  return <When at={next_attempt_at} never="Now" />;
}

/** After the last attempt that fails it is given up; sending it again allows five more. Tries of a disabled webhook come on top. */
function attemptsOf(of: Delivery): string {
  const left = of.max_attempts - of.attempts;
  const made = of.attempts + of.tries;
  return isWaiting(of) && left > 0 ? `${made} made, up to ${left} more` : String(made);
}
