import { Alert } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { Copyable } from '../../../parts/Copy.tsx';
import { count } from '../../../parts/count.ts';
import { Facts } from '../../../parts/Facts.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Missing } from '../../../parts/Missing.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { EventNames } from '../../../subjects/webhooks/EventNames.tsx';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import { isActive, SubscriptionStatus } from '../../../subjects/webhooks/SubscriptionStatus.tsx';
import type { Subscription } from '../../../subjects/webhooks/webhooks.ts';
import { webhook } from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Deliveries } from './Deliveries.tsx';
import { DeliveryDrawer } from './DeliveryDrawer.tsx';
import { SubscriptionActions } from './SubscriptionActions.tsx';

const PER_PAGE = 25;
/** Deliveries happen in the background; card and log follow them together. */
const EVERY_MS = 5_000;

export function Webhook() {
  const { id = '' } = useParams();
  const { mode } = useMode();
  const filters = useFilters();
  const { of } = filters;
  const size = pageSize(filters, PER_PAGE);
  const filter = { status: of('status'), event: of('event'), from: of('from'), until: of('until') };
  const found = useQuery({
    ...webhook(mode, id, filter, { before: of('before'), limit: size.value }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  if (found.error instanceof Refusal && found.error.code === 'subscription_not_found') return <Missing />;
  return (
    <>
      <Loaded query={found} lines={8}>
        {({ subscription, all_events, events, deliveries, has_more, held }) => (
          <Detail mode={mode} of={subscription} held={held} events={all_events} standard={events}>
            <Deliveries
              mode={mode}
              subscriptionId={subscription.id}
              rows={deliveries}
              hasMore={has_more}
              filters={filters}
              size={size}
              filter={filter}
              events={all_events}
              isHeld={!isActive(subscription)}
            />
          </Detail>
        )}
      </Loaded>
      <DeliveryDrawer mode={mode} />
    </>
  );
}

interface DetailProps {
  mode: Mode;
  of: Subscription;
  held: number;
  events: readonly string[];
  standard: readonly string[];
  children: ReactNode;
}

function Detail({ mode, of, held, events, standard, children }: DetailProps) {
  const may = useMay();
  return (
    <Page title={new URL(of.url).host} back={{ to: paths.webhooks(mode), label: 'Webhooks' }}>
      {of.status === 3 && <Disabled of={of} held={held} />}
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
            [SINCE[of.status], of.held_since !== null && <When key="since" at={of.held_since} exact />],
            ['Tried again since', of.status === 3 && count(of.tries, 'time')],
            ['Created', <When key="created" at={of.created_at} />],
            ['Updated', <When key="updated" at={of.updated_at} />],
          ]}
        />
        {may('develop') && <SubscriptionActions mode={mode} of={of} />}
      </Section>
      {children}
    </Page>
  );
}

const SINCE: Record<Subscription['status'], string> = {
  1: '',
  2: 'Paused since',
  3: 'Disabled since',
};

/** What happened, what happens to the events, and what is tried next automatically. */
function Disabled({ of, held }: { of: Subscription; held: number }) {
  return (
    <Alert color="red" title="We disabled this webhook after 10 failed attempts in a row">
      New events are held for 7 days. <NextTry at={of.next_try_at} held={held} />{' '}
      {of.next_try_at === null
        ? 'Fix your receiver, then resume the webhook to send what is on hold.'
        : 'The first time your receiver answers with a 2xx status, the webhook is active again and what is on hold is sent, oldest first. You can also resume it now.'}
    </Alert>
  );
}
