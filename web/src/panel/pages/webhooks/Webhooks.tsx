import { Anchor, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { EventNames } from '../../../subjects/webhooks/EventNames.tsx';
import { SubscriptionStatus } from '../../../subjects/webhooks/SubscriptionStatus.tsx';
import type { Subscription } from '../../../subjects/webhooks/webhooks.ts';
import { subscriptions } from '../../api/webhooks.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { NewSubscription } from './NewSubscription.tsx';
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
      actions={found.data && may('develop') && <NewSubscription mode={mode} standard={found.data.events} />}
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
                <DataTable
                  label="Subscriptions"
                  columns={columns(mode, events, standard)}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
              )}
            </Section>
            {may('develop') && <Probe key={mode} mode={mode} events={events} />}
            <VerifySignatures />
          </>
        )}
      </Loaded>
    </Page>
  );
}

const columns = (mode: Mode, all: readonly string[], standard: readonly string[]): Column<Subscription>[] => [
  {
    label: 'URL',
    cell: ({ id, url, secret_mask }) => (
      <Stack gap={2} miw={220}>
        <Anchor component={Link} to={paths.webhook(mode, id)} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {url}
        </Anchor>
        <Text c="dimmed" className="mono" span>
          {secret_mask}
        </Text>
      </Stack>
    ),
  },
  { label: 'Status', cell: (row) => <SubscriptionStatus of={row} /> },
  { label: 'Events', cell: ({ events }) => <EventNames names={events} all={all} standard={standard} /> },
  {
    label: 'Consecutive failures',
    kind: 'figure',
    card: 'fact',
    cell: ({ fail_count }) => <span className="num">{fail_count}</span>,
  },
  { label: 'Created (UTC)', cell: ({ created_at }) => <When at={created_at} /> },
];
