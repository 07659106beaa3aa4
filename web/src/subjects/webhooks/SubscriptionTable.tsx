import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { When } from '../../parts/When.tsx';
import { EventNames } from './EventNames.tsx';
import { SubscriptionStatus } from './SubscriptionStatus.tsx';
import type { Subscription } from './webhooks.ts';

interface SubscriptionTableProps<S extends Subscription> {
  label: string;
  rows: readonly S[];
  /** All events there are, and those a subscription gets unless others are chosen. */
  all: readonly string[];
  standard: readonly string[];
  /** Its page, where it has one. */
  to?: (of: S) => string;
  /** Shown before the end of the secret. */
  beside?: (of: S) => ReactNode;
  /** The state of its deliveries. */
  deliveries: Column<S>;
  /** Undefined: nothing may be changed. */
  actions?: ((of: S) => ReactNode) | undefined;
}

/** Where a partner's events go. */
export function SubscriptionTable<S extends Subscription>(props: SubscriptionTableProps<S>) {
  const { label, rows, all, standard, to, beside, deliveries, actions } = props;
  const columns: Column<S>[] = [
    {
      label: 'URL',
      cell: (row) => (
        <Stack gap={2} miw={220}>
          <Address text={row.url} to={to?.(row)} />
          <Group gap="xs">
            {beside?.(row)}
            <Text c="dimmed" className="mono" span>
              {row.secret_mask}
            </Text>
          </Group>
        </Stack>
      ),
    },
    { label: 'Status', cell: (row) => <SubscriptionStatus of={row} /> },
    { label: 'Events', cell: ({ events }) => <EventNames names={events} all={all} standard={standard} /> },
    deliveries,
    { label: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
  ];
  if (actions) columns.push({ label: 'Actions', kind: 'actions', cell: actions });
  return <DataTable label={label} columns={columns} rows={rows} rowKey={({ id }) => id} />;
}

const Address = ({ text, to }: { text: string; to: string | undefined }) =>
  to === undefined ? (
    <Text size="sm" style={{ overflowWrap: 'anywhere' }} span>
      {text}
    </Text>
  ) : (
    <Anchor component={Link} to={to} size="sm" style={{ overflowWrap: 'anywhere' }}>
      {text}
    </Anchor>
  );
