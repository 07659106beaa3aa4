import { Button, Menu, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { Empty } from '../../../parts/Empty.tsx';
import { IconWebhook } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { ModeBadge } from '../../../parts/ModeBadge.tsx';
import { modeName, modes } from '../../../parts/mode.ts';
import { Section } from '../../../parts/Section.tsx';
import { NextTry } from '../../../subjects/webhooks/NextTry.tsx';
import { NewSubscription, type SubscriptionCalls } from '../../../subjects/webhooks/SubscriptionChanges.tsx';
import { SubscriptionTable } from '../../../subjects/webhooks/SubscriptionTable.tsx';
import { runAction } from '../../api/actions.ts';
import {
  allPartners,
  eventsOf,
  type Partner,
  type PartnerSubscription,
  type PartnerSubscriptions,
  subscriptionsOf,
} from '../../api/partners.ts';
import { useMay } from '../../useMay.ts';
import { newSubscriptionInput, subscriptionInput } from './inputs.ts';
import { WebhookActions } from './WebhookActions.tsx';

const EVERY_MS = 15_000;

/** Where the partner's events go, in both worlds. */
export function Webhooks({ of }: { of: Partner }) {
  const may = useMay();
  const found = useQuery({ ...subscriptionsOf(of.id), refetchInterval: EVERY_MS });
  const isOpen = of.status !== 'closed';
  const calls = callsFor(of);
  return (
    <Section
      title="Webhooks"
      about="At most 5 in each world."
      actions={found.data && isOpen && may('manage') && <Add of={of} calls={calls} standard={found.data.events} />}
      flush
    >
      <Loaded query={found}>
        {(data) =>
          data.subscriptions.length === 0 ? (
            <Empty icon={IconWebhook} title="No webhooks">
              The partner has to ask for changes, or adds a webhook in the panel.
            </Empty>
          ) : (
            <SubscriptionTable
              label="Webhooks"
              rows={data.subscriptions}
              all={data.all_events}
              standard={data.events}
              beside={(row) => <World of={row} />}
              deliveries={{ label: 'Deliveries', cell: (row) => <Deliveries of={row} in={data} /> }}
              actions={may('support') ? (row) => <WebhookActions partner={of} of={row} calls={calls} /> : undefined}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const callsFor = ({ id: partnerId }: Partner): SubscriptionCalls => ({
  touches: allPartners,
  events: eventsOf,
  create: (mode, wanted) => runAction('webhook create', newSubscriptionInput(partnerId, mode, wanted)),
  change: (id, wanted) => runAction('webhook set', subscriptionInput(id, wanted)),
});

const Add = ({ of, calls, standard }: { of: Partner; calls: SubscriptionCalls; standard: readonly string[] }) => (
  <NewSubscription
    calls={calls}
    title={(mode) => `New ${mode} webhook of ${of.name}`}
    standard={standard}
    button={(open) => (
      <Menu position="bottom-end">
        <Menu.Target>
          <Button size="xs">Add webhook</Button>
        </Menu.Target>
        <Menu.Dropdown>
          {modes.map((mode) => (
            <Menu.Item key={mode} onClick={() => open(mode)}>
              {modeName[mode]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    )}
  >
    Give it to the partner over a secure channel: their receiver uses it to check that requests are genuine.
  </NewSubscription>
);

const World = ({ of: { id, mode } }: { of: PartnerSubscription }) => (
  <>
    <ModeBadge mode={mode} />
    <Text size="xs" c="dimmed" span>
      Subscription {id}
    </Text>
  </>
);

/** What is wrong with a subscription; nothing if all is well. */
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
