import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconPlus, IconWebhook } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { NewSubscription } from '../../../subjects/webhooks/SubscriptionChanges.tsx';
import { SubscriptionTable } from '../../../subjects/webhooks/SubscriptionTable.tsx';
import type { Subscription } from '../../../subjects/webhooks/webhooks.ts';
import { subscriptionCalls, subscriptions } from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { Inbox } from './Inbox.tsx';
import { Probe } from './Probe.tsx';
import { VerifySignatures } from './VerifySignatures.tsx';

const EVERY_MS = 15_000;

export function Webhooks() {
  const { mode } = useMode();
  const may = useMay();
  // Failures count up and disable a subscription in the background.
  const found = useQuery({ ...subscriptions(mode), refetchInterval: EVERY_MS });
  return (
    <Page
      title="Webhooks"
      about={`We send a signed request to your server whenever a ${mode} order changes, and about eSIMs and money if you choose those events.`}
      actions={found.data && may('develop') && <Add mode={mode} standard={found.data.events} />}
    >
      <Notices mode={mode} about={['webhooks']} />
      <Loaded query={found}>
        {({ subscriptions: rows, all_events: events, events: standard, max }) => (
          <>
            <Section title="Subscriptions" about={`${rows.length} of ${max}`} flush>
              {rows.length === 0 ? (
                <Empty icon={IconWebhook} title="No webhooks yet">
                  Add the URL of your receiver. If you don’t have one yet, test any public URL below to see what we
                  send.
                </Empty>
              ) : (
                <SubscriptionTable
                  label="Subscriptions"
                  rows={rows}
                  all={events}
                  standard={standard}
                  to={({ id }) => paths.webhook(mode, id)}
                  deliveries={failures}
                />
              )}
            </Section>
            {mode === 'sandbox' && (
              <Section title="Inbox" about="Without a server of your own.">
                <Inbox />
              </Section>
            )}
            {may('develop') && <Probe key={mode} mode={mode} events={events} />}
            <VerifySignatures />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const failures: Column<Subscription> = {
  label: 'Consecutive failures',
  kind: 'figure',
  card: 'fact',
  cell: ({ fail_count }) => <span className="num">{fail_count}</span>,
};

const Add = ({ mode, standard }: { mode: Mode; standard: readonly string[] }) => (
  <NewSubscription
    calls={subscriptionCalls(mode)}
    title={() => `New ${mode} webhook`}
    standard={standard}
    button={(open) => (
      <Button leftSection={<IconPlus size={16} />} onClick={() => open(mode)}>
        Add webhook
      </Button>
    )}
  >
    Give it to your receiver, which uses it to check that requests are genuine. “Verify signatures” on this page has the
    code.
  </NewSubscription>
);
