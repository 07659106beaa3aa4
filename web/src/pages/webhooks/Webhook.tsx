import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { type Subscription, subscriptions } from '../../api/webhooks.ts';
import { Copyable } from '../../components/Copy.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Missing } from '../../components/Missing.tsx';
import { Page } from '../../components/Page.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Deliveries } from './Deliveries.tsx';
import { EventNames } from './EventNames.tsx';
import { SubscriptionActions } from './SubscriptionActions.tsx';
import { isActive, SubscriptionStatus } from './SubscriptionStatus.tsx';

const EVERY_MS = 5_000;

export function Webhook() {
  const { id = '' } = useParams();
  const { mode } = useMode();
  // Failures count up and disable a subscription in the background; the card follows.
  const found = useQuery({ ...subscriptions(mode), refetchInterval: EVERY_MS });
  return (
    <Loaded query={found} lines={8}>
      {({ subscriptions: all, all_events, events }) => {
        const subscription = all.find((one) => one.id === id);
        return subscription ? (
          <Detail mode={mode} of={subscription} events={all_events} standard={events} />
        ) : (
          <Missing />
        );
      }}
    </Loaded>
  );
}

interface DetailProps {
  mode: Mode;
  of: Subscription;
  events: readonly string[];
  standard: readonly string[];
}

function Detail({ mode, of, events, standard }: DetailProps) {
  return (
    <Page title={new URL(of.url).host} back={{ to: paths.webhooks(mode), label: 'Webhooks' }}>
      {of.status === 3 && (
        <Alert color="red" title="We disabled this webhook after 10 failed deliveries in a row">
          No events are sent. Fix your receiver, then resume the webhook; deliveries on hold are sent then.
        </Alert>
      )}
      <Section title="Subscription" actions={<SubscriptionStatus of={of} />}>
        <Facts
          facts={[
            ['URL', <Copyable key="url" value={of.url} what="the URL" />],
            [
              'Id',
              <span key="id" className="mono">
                {of.id}
              </span>,
            ],
            ['Events', <EventNames key="events" names={of.events} all={events} standard={standard} />],
            [
              'Signing secret',
              <span key="secret" className="mono">
                {of.secret_mask}
              </span>,
            ],
            ['Consecutive failures', of.fail_count],
            ['Created (UTC)', <When key="created" at={of.created_at} />],
            ['Updated (UTC)', <When key="updated" at={of.updated_at} />],
          ]}
        />
        <SubscriptionActions mode={mode} of={of} />
      </Section>
      <Deliveries mode={mode} subscriptionId={of.id} isHeld={!isActive(of)} />
    </Page>
  );
}
