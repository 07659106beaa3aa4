import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { TimelineStep as Step, StepOf } from '../../../../src/entry/site/views/timeline.ts';
import { countryName } from '../../parts/countryName.ts';
import { Money } from '../../parts/Money.tsx';
import { keyName } from '../keys/keys.ts';
import { EventDeliveries } from './EventDeliveries.tsx';

/** Where the parts of a timeline lead; undefined: there is no page for it here. */
export interface TimelineLinks {
  readonly order: (id: string) => string;
  readonly request?: (id: string) => string;
  readonly delivery?: (subscriptionId: string, deliveryId: string) => string;
}

interface TimelineStepProps {
  links: TimelineLinks;
  step: Step;
  isRefill: boolean;
  /** Whose money it is. */
  whose: string;
  /** Why it failed, in words. */
  whyFailed: (reason: string) => string | null;
}

/** One step in words, with links to what it is about. */
export function TimelineStep({ links, step, isRefill, whose, whyFailed }: TimelineStepProps) {
  switch (step.kind) {
    case 'placed':
      return <Placed links={links} step={step} />;
    case 'money':
      return <Said>{moved(step, whose)}</Said>;
    case 'sent_to_supplier':
      return <Said>Sent to the supplier</Said>;
    case 'overdue':
      return <Said>Delivery took too long and was reported to the operator</Said>;
    case 'delivered':
      return <Said>{isRefill ? 'Refill added to the eSIM' : 'eSIM delivered'}</Said>;
    case 'failed':
      return <Said more={whyFailed(step.reason)}>Failed</Said>;
    case 'event':
      return <EventDeliveries link={links.delivery} step={step} />;
    case 'refund_requested':
      return <Said more={step.reason}>Refund requested</Said>;
    case 'refund_granted':
      return (
        <Said more={step.note}>
          Refund granted: <Money amount={step.amount} />
        </Said>
      );
    case 'refund_rejected':
      return <Said more={step.note}>Refund rejected</Said>;
    case 'cancel_requested':
      return <Said>Cancel requested</Said>;
    case 'cancelled':
      return <Said>Cancelled</Said>;
    case 'cancel_too_late':
      return <Said>Too late to cancel</Said>;
    case 'replacement_requested':
      return <Said more={step.reason}>Replacement requested</Said>;
    case 'replacement_rejected':
      return <Said>Replacement rejected</Said>;
    case 'replaced':
      return (
        <Said more={step.iccid}>
          Replaced by the eSIM of{' '}
          <Anchor component={Link} to={links.order(step.order_id)} className="mono" underline="always">
            order {step.order_id}
          </Anchor>
        </Said>
      );
    case 'airalo':
      return <Said more={airaloRest(step)}>{step.is_rest ? 'Answered before its eSIMs were there' : 'Accepted'}</Said>;
    case 'airalo_sent':
      return <Said>Result sent to the Airalo client’s webhook</Said>;
    case 'phone':
      return <OnPhone step={step} />;
    case 'refill':
      return (
        <Said more={step.product_title}>
          Refill ordered:{' '}
          <Anchor component={Link} to={links.order(step.order_id)} className="mono" underline="always">
            order {step.order_id}
          </Anchor>
        </Said>
      );
  }
}

/** Where the rest of an order of software made for Airalo goes. */
const airaloRest = ({ is_told }: StepOf<'airalo'>): string =>
  is_told
    ? 'The Airalo client gets the rest by its webhook as soon as nothing is on its way any more.'
    : 'The Airalo client has not opted in to the webhook, so it has to look the order up.';

/** An event without a line here is shown by its name. */
const onPhone: Readonly<Partial<Record<string, string>>> = {
  'esim.installed': 'Installed on a phone',
  'esim.removed': 'Deleted from the phone',
  'esim.country_changed': 'Seen in another country',
  'esim.activated': 'Used for the first time',
  'esim.usage_high': 'Most of the data is used',
  'esim.depleted': 'All data is used',
  'esim.expiring': 'Ends within a day',
  'esim.expired': 'Expired',
  'esim.suspended': 'Suspended',
  'esim.resumed': 'Resumed',
  'esim.autorefill_stopped': 'Automatic refills stopped',
};

function OnPhone({ step: { event, country, covered } }: { step: StepOf<'phone'> }) {
  if (country === null) return <Said>{onPhone[event] ?? event}</Said>;
  return (
    <Said more={covered === false ? 'The plan does not cover this country.' : null}>
      Seen in {countryName(country)}
    </Said>
  );
}

function Said({ children, more }: { children: ReactNode; more?: string | null }) {
  return (
    <>
      <Text size="sm">{children}</Text>
      {more && (
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {more}
        </Text>
      )}
    </>
  );
}

function Placed({
  links,
  step: { request_id, key, is_logged, in_panel, is_automatic, by, replaces },
}: {
  links: TimelineLinks;
  step: StepOf<'placed'>;
}) {
  return (
    <>
      <Text size="sm">
        {replaces !== null ? (
          <>
            Placed free of charge, to replace the eSIM of{' '}
            <Anchor component={Link} to={links.order(replaces)} className="mono" underline="always">
              order {replaces}
            </Anchor>
          </>
        ) : is_automatic ? (
          `Bought automatically when the data ran low${key ? ', by a rule set' : ''}`
        ) : in_panel ? (
          `Bought in the panel${by === null ? '' : ` by ${by}`}`
        ) : (
          'Placed through the API'
        )}
        {key && (
          <>
            {' '}
            with key <span className="mono">{keyName(key)}</span>
          </>
        )}
      </Text>
      {request_id !== null && !in_panel && (
        <Text size="sm" c="dimmed">
          Request{' '}
          {is_logged && links.request ? (
            <Anchor component={Link} to={links.request(request_id)} className="mono" underline="always">
              {request_id}
            </Anchor>
          ) : (
            <span className="mono">{request_id}</span>
          )}
        </Text>
      )}
    </>
  );
}

/** Where the money came from or went: the balance, or the debt of an account on credit. */
function moved({ book, type, amount }: StepOf<'money'>, whose: string): ReactNode {
  const sum = <Money key="sum" amount={Math.abs(Number(amount))} />;
  const onCredit = book === 'debt';
  switch (type) {
    case 'purchase':
    case 'charge':
      return onCredit ? (
        <>
          Charged {sum} to {whose} credit line
        </>
      ) : (
        <>
          Paid {sum} from {whose} balance
        </>
      );
    case 'refund':
      return onCredit ? (
        <>
          {sum} taken off {whose} debt
        </>
      ) : (
        <>
          {sum} returned to {whose} balance
        </>
      );
    case 'profit_share':
      return Number(amount) < 0 === onCredit ? (
        <>Revenue share on unused data: {sum} credited</>
      ) : (
        <>Revenue share on unused data: {sum} taken back</>
      );
    default:
      return <>Adjusted by {sum}</>;
  }
}

/** Every step happens once, except movements of money, refills and what happens on the phone. */
export function keyOf(step: Step): string {
  if (step.kind === 'money') return `money ${step.movement_id}`;
  if (step.kind === 'refill') return `refill ${step.order_id}`;
  if (step.kind === 'phone') return `phone ${step.n}`;
  return step.kind === 'event' ? `event ${step.event_id}` : step.kind;
}
