import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { StepOf } from '../../../../src/entry/site/views/timeline.ts';
import { When } from '../../parts/When.tsx';
import { statusLabel } from '../webhooks/DeliveryStatus.tsx';
import { deliveryError } from '../webhooks/deliveryError.ts';
import classes from './Steps.module.css';

type Delivery = StepOf<'event'>['deliveries'][number];

interface EventDeliveriesProps {
  link: ((subscriptionId: string, deliveryId: string) => string) | undefined;
  step: StepOf<'event'>;
}

/** An event, and each attempt to deliver it to a webhook. */
export function EventDeliveries({ link, step }: EventDeliveriesProps) {
  return (
    <>
      <Text size="sm">
        Event <span className="mono">{step.event}</span>
      </Text>
      <ul className={classes.attempts}>
        {step.deliveries.map((delivery) => (
          <li key={delivery.delivery_id}>
            {link ? (
              <Anchor
                component={Link}
                to={link(delivery.subscription_id, delivery.delivery_id)}
                fz="inherit"
                underline="always"
              >
                Delivery {delivery.delivery_id}
              </Anchor>
            ) : (
              <>Delivery {delivery.delivery_id}</>
            )}
            : {statusLabel(delivery.status, delivery.held)}
            <Attempts of={delivery} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Attempts({ of: { tries } }: { of: Delivery }) {
  if (tries.length === 0) return null;
  return (
    <ul className={classes.attempts}>
      {tries.map((one) => (
        <li key={one.attempt}>
          <Text c="dimmed" fz="inherit" component="span">
            Attempt {one.attempt}, <When at={one.at} />: {answerOf(one)} after {one.duration_ms} ms
          </Text>
        </li>
      ))}
    </ul>
  );
}

const answerOf = ({ http_code, error }: Delivery['tries'][number]): string =>
  error === '' ? `HTTP ${http_code}` : deliveryError(error);
