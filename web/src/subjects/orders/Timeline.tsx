import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Mode, paths } from '../../panel/paths.ts';
import { useMay } from '../../panel/useMay.ts';
import { Loaded } from '../../parts/Loaded.tsx';
import { Section } from '../../parts/Section.tsx';
import { When } from '../../parts/When.tsx';
import { type Step, timeline } from '../requests/requests.ts';
import { reasonOf } from './outcome.ts';
import classes from './Timeline.module.css';
import { type TimelineLinks, TimelineStep } from './TimelineStep.tsx';

/** Webhook attempts follow an order for hours. */
const EVERY_MS = 10_000;

/** What happened to an order, step by step. */
export function Timeline({ mode, orderId }: { mode: Mode; orderId: string }) {
  const found = useQuery({ ...timeline(mode, orderId), refetchInterval: EVERY_MS });
  const seesCalls = useMay()('see-keys');
  return (
    <Section
      title="Timeline"
      about="Oldest first."
      actions={
        seesCalls && (
          <Anchor component={Link} to={paths.requestsOfOrder(mode, orderId)} size="sm">
            API calls about this order
          </Anchor>
        )
      }
    >
      <Loaded query={found} lines={5}>
        {({ steps, waiting, refill_of }) => (
          <>
            {refill_of !== null && (
              <Text size="sm" mb="sm">
                This order refills the eSIM of order{' '}
                <Anchor component={Link} to={paths.order(mode, refill_of)} className="mono" underline="always">
                  {refill_of}
                </Anchor>
                .
              </Text>
            )}
            <ol className={classes.steps}>
              {steps.map((step) => (
                <li key={keyOf(step)} className={classes.step} data-kind={step.kind}>
                  <Text size="xs" c="dimmed" component="div">
                    <When at={step.at} /> UTC
                  </Text>
                  <TimelineStep links={linksIn(mode)} step={step} isRefill={refill_of !== null} />
                </li>
              ))}
              {waiting && (
                <li className={classes.step} data-kind="waiting">
                  <Text size="xs" c="dimmed" component="div">
                    Next look: <When at={waiting.next_attempt_at} /> UTC
                  </Text>
                  <Text size="sm">Waiting for the supplier</Text>
                  <Text size="sm" c="dimmed">
                    {reasonOf(waiting.reason)}
                  </Text>
                </li>
              )}
            </ol>
          </>
        )}
      </Loaded>
    </Section>
  );
}

const linksIn = (mode: Mode): TimelineLinks => ({
  order: (id) => paths.order(mode, id),
  request: (id) => paths.request(mode, id),
  delivery: (subscriptionId, deliveryId) => paths.delivery(mode, subscriptionId, deliveryId),
});

/** Every step happens once, except that money can move and refills can be bought several times. */
export function keyOf(step: Step): string {
  if (step.kind === 'money') return `money ${step.movement_id}`;
  if (step.kind === 'refill') return `refill ${step.order_id}`;
  return step.kind === 'event' ? `event ${step.event_id}` : step.kind;
}
