import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { type Stopped, stopped, webhooksKey } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { Address } from './Address.tsx';

const EVERY_MS = 15_000;

/** Subscriptions that get nothing: paused by somebody, or disabled after repeated failures. */
export function StoppedSubscriptions({ mode }: { mode: string }) {
  const may = useMay();
  const found = useQuery({ ...stopped(mode), refetchInterval: EVERY_MS });
  return (
    <Section
      title="Stopped subscriptions"
      about="Paused by a person, or disabled after ten failures in a row. Disabled ones are retried automatically for three days. Deliveries held longer than 7 days are given up."
      flush
    >
      <Loaded query={found}>
        {({ subscriptions }) =>
          subscriptions.length === 0 ? (
            <Empty icon={IconCheck} title="All subscriptions are active" />
          ) : (
            <DataTable
              label="Stopped subscriptions"
              columns={may('support') ? [...columns, actions] : columns}
              rows={subscriptions}
              rowKey={({ id }) => id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const heldText = ({ held, has_more_held }: Stopped): string =>
  has_more_held ? `${held} deliveries or more` : count(held, 'delivery', 'deliveries');

const columns: readonly Column<Stopped>[] = [
  { label: 'Subscription', cell: (row) => <Address of={{ ...row, subscription_id: row.id }} /> },
  {
    label: 'Status',
    cell: ({ status, fail_count }) => (
      <Stack gap={2} align="flex-start">
        <Badge color={status === 3 ? 'red' : 'gray'}>{status === 3 ? 'Disabled' : 'Paused'}</Badge>
        {fail_count > 0 && (
          <Text size="xs" c="dimmed">
            {count(fail_count, 'failure')} in a row
          </Text>
        )}
      </Stack>
    ),
  },
  { label: 'Holds', cell: heldText },
  { label: 'Since', cell: ({ since }) => <When at={since} /> },
  {
    label: 'Next try',
    cell: ({ status, held, next_try_at }) =>
      status === 3 && held === 0 && next_try_at !== null ? (
        'With the next event'
      ) : (
        <When at={next_try_at} never={status === 3 ? 'None' : '–'} />
      ),
  },
];

const actions: Column<Stopped> = { label: 'Actions', kind: 'actions', cell: (row) => <Resume of={row} /> };

function Resume({ of: row }: { of: Stopped }) {
  const resume = useAction('webhook resume', webhooksKey);
  return (
    <Group gap="xs" wrap="wrap">
      <ConfirmButton
        size="xs"
        label="Resume"
        title={`Resume subscription ${row.id}?`}
        change={{ ...resume, mutateAsync: () => resume.mutateAsync({ id: row.id }) }}
      >
        {row.held === 0
          ? `New events are sent to ${row.url} again.`
          : `New events are sent to ${row.url} again, and what it holds (${heldText(row)}) goes out now, the oldest first.`}
      </ConfirmButton>
      {row.held > 0 && (
        <ConfirmButton
          size="xs"
          label="Resume without these"
          title={`Resume subscription ${row.id} and discard what it holds?`}
          change={{ ...resume, mutateAsync: () => resume.mutateAsync({ id: row.id, discard: true }) }}
        >
          New events are sent to {row.url} again. What it holds ({heldText(row)}) is never sent. This cannot be undone.
        </ConfirmButton>
      )}
    </Group>
  );
}
