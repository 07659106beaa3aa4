import { Group, Stack, Text } from '@mantine/core';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { ModeBadge } from '../../../parts/ModeBadge.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { EventNames } from '../../../subjects/webhooks/EventNames.tsx';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import { SubscriptionStatus } from '../../../subjects/webhooks/SubscriptionStatus.tsx';
import {
  type Partner,
  type PartnerSubscription,
  type PartnerSubscriptions,
  subscriptionsOf,
} from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { NewWebhook } from './NewWebhook.tsx';
import { WebhookActions } from './WebhookActions.tsx';

const EVERY_MS = 15_000;

/** Where the partner's events go, in both worlds. */
export function Webhooks({ of }: { of: Partner }) {
  const may = useMay();
  const found = useQuery({ ...subscriptionsOf(of.id), refetchInterval: EVERY_MS });
  const isOpen = of.status !== 'closed';
  return (
    <Section
      title="Webhooks"
      about="At most 5 in each world."
      actions={found.data && isOpen && may('manage') && <NewWebhook of={of} standard={found.data.events} />}
      flush
    >
      <Loaded query={found}>
        {(data) =>
          data.subscriptions.length === 0 ? (
            <Empty icon={IconWebhook} title="No webhooks">
              The partner has to ask for changes, or adds a webhook in the panel.
            </Empty>
          ) : (
            <DataTable
              label="Webhooks"
              columns={may('support') ? [...columns(data), actions(of)] : columns(data)}
              rows={data.subscriptions}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const columns = (data: PartnerSubscriptions): Column<PartnerSubscription>[] => [
  {
    label: 'URL',
    cell: ({ id, mode, url, secret_mask }) => (
      <Stack gap={2} miw={200}>
        <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
          {url}
        </Text>
        <Group gap="xs">
          <ModeBadge mode={mode} />
          <Text size="xs" c="dimmed" span>
            Subscription {id}
          </Text>
          <Text c="dimmed" className="mono" span>
            {secret_mask}
          </Text>
        </Group>
      </Stack>
    ),
  },
  { label: 'Status', cell: (row) => <SubscriptionStatus of={row} /> },
  {
    label: 'Events',
    cell: ({ events }) => <EventNames names={events} all={data.all_events} standard={data.events} />,
  },
  { label: 'Deliveries', cell: (row) => <Deliveries of={row} in={data} /> },
  { label: 'Created (UTC)', card: 'small', cell: ({ created_at }) => <When at={created_at} /> },
];

const actions = (of: Partner): Column<PartnerSubscription> => ({
  label: 'Actions',
  kind: 'actions',
  cell: (row) => <WebhookActions partner={of} of={row} />,
});

/** What is not as it should be; nothing if all is well. */
function Deliveries({
  of: { status, fail_count, held, dead, next_try_at },
  in: { most_held, most_dead },
}: {
  of: PartnerSubscription;
  in: PartnerSubscriptions;
}) {
  const orMore = (number: number, most: number) =>
    `${number.toLocaleString('en-US')}${number >= most ? ' or more' : ''}`;
  if (status === 1 && fail_count === 0 && held === 0 && dead === 0) return null;
  return (
    <Stack gap={0}>
      {fail_count > 0 && <span>{count(fail_count, 'failure')} in a row</span>}
      {status === 3 && (
        <span>
          <NextTry at={next_try_at} held={held} />
        </span>
      )}
      {held > 0 && <span>{orMore(held, most_held)} held</span>}
      {dead > 0 && <span>{orMore(dead, most_dead)} dead</span>}
    </Stack>
  );
}
