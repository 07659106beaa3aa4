import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { TimelineStep as StepView } from '../../../../../src/entry/site/views/timeline.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { Step, Steps } from '../../../subjects/orders/Steps.tsx';
import { keyOf, type TimelineLinks, TimelineStep } from '../../../subjects/orders/TimelineStep.tsx';
import { timeline } from '../../api/requests.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { reasonOf } from './outcome.ts';

/** Webhook attempts follow an order for hours. */
const EVERY_MS = 10_000;

/** What the page of an eSIM shows: its money, its calls and its webhooks are on the page of its order. */
const ofEsim: readonly StepView['kind'][] = [
  ...(['delivered', 'phone', 'refill', 'refund_granted'] as const),
  ...(['replacement_requested', 'replacement_rejected', 'replaced'] as const),
];

interface TimelineProps {
  mode: Mode;
  orderId: string;
  /** Only what happened to the eSIM. */
  isOfEsim?: boolean;
}

/** What happened to an order, step by step. */
export function Timeline({ mode, orderId, isOfEsim = false }: TimelineProps) {
  const found = useQuery({ ...timeline(mode, orderId), refetchInterval: EVERY_MS });
  const seesCalls = useMay()('see-keys');
  return (
    <Section
      title="Timeline"
      about="Oldest first."
      actions={
        isOfEsim ? (
          <Anchor component={Link} to={paths.order(mode, orderId)} size="sm">
            Everything about its order
          </Anchor>
        ) : (
          seesCalls && (
            <Anchor component={Link} to={paths.requestsOfOrder(mode, orderId)} size="sm">
              API calls about this order
            </Anchor>
          )
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
            <Steps>
              {steps
                .filter(({ kind }) => !isOfEsim || ofEsim.includes(kind))
                .map((step) => (
                  <Step key={keyOf(step)} kind={step.kind} at={step.at}>
                    <TimelineStep
                      links={linksIn(mode)}
                      step={step}
                      isRefill={refill_of !== null}
                      whose="your"
                      whyFailed={reasonOf}
                    />
                  </Step>
                ))}
              {waiting && (
                <Step kind="waiting" at={waiting.next_attempt_at} before="Next look: ">
                  <Text size="sm">Waiting for the supplier</Text>
                  <Text size="sm" c="dimmed">
                    {reasonOf(waiting.reason)}
                  </Text>
                </Step>
              )}
            </Steps>
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
