import { Anchor, Group, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { Choice } from '../../../parts/Choice.tsx';
import { chooseColumn } from '../../../parts/ChosenBar.tsx';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconReplace } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { type ManyDone, ManyOutcome } from '../../../parts/ManyOutcome.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChosen } from '../../../parts/useChosen.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { useAction } from '../../api/actions.ts';
import { ORDERS, type ReplacementRow, replacements } from '../../api/orders.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { useWorld } from '../../useWorld.ts';
import { WorldSwitch } from '../../WorldSwitch.tsx';
import { Cost } from '../catalog/Cost.tsx';
import { DecideMany } from './DecideMany.tsx';

const PER_PAGE = 25;
const EVERY_MS = 15_000;

const tabs = [
  { value: 'requested', label: 'Waiting for you' },
  { value: 'pending', label: 'On their way' },
  { value: 'replaced', label: 'Replaced' },
  { value: 'rejected', label: 'Rejected' },
] as const;

const none: Record<string, [title: string, more: string]> = {
  requested: ['No request waits for you', 'Requests beyond a partner’s monthly budget appear here.'],
  pending: ['No new eSIM is on its way', ''],
  replaced: ['No eSIM was replaced yet', ''],
  rejected: ['No request was rejected', ''],
};

/** Requests for a new eSIM in place of another, those waiting for a decision first. */
export function Replacements() {
  const mode = useWorld();
  const may = useMay();
  const filters = useFilters();
  const { of, filter, goBefore } = filters;
  const [outcome, setOutcome] = useState<ManyDone>();
  const size = pageSize(filters, PER_PAGE);
  const status = of('status') ?? 'requested';
  const found = useQuery({
    ...replacements(mode, { status, partner: of('partner'), before: of('before'), limit: size.value }),
    placeholderData: (last, query) => (query?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  const decided = may('money') && (status === 'requested' || status === 'rejected') ? status : undefined;
  return (
    <Page
      title="Replacements"
      about="New eSIMs of the same plan in place of ones that were never used or were deleted from the phone. You pay for them, not the partner."
      actions={<WorldSwitch />}
    >
      <Group>
        <Choice
          label="Which replacements"
          options={tabs}
          value={status}
          onChange={(value) => filter({ status: value === 'requested' ? undefined : value })}
        />
      </Group>
      {outcome && <ManyOutcome of={outcome} onClose={() => setOutcome(undefined)} />}
      <Section title={tabs.find(({ value }) => value === status)?.label ?? 'Replacements'} flush>
        <Loaded query={found} lines={6}>
          {({ replacements: rows, has_more }) => (
            <>
              {rows.length === 0 ? (
                <Empty icon={IconReplace} title={none[status]?.[0] ?? 'Nothing here'}>
                  {none[status]?.[1]}
                </Empty>
              ) : (
                <List
                  list={`${mode} ${status} ${of('partner')} ${of('before')}`}
                  {...{ mode, rows, setOutcome }}
                  status={decided}
                />
              )}
              <OlderPager
                shown={[rows.length, 'request']}
                size={size}
                isFurther={of('before') !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

interface ListProps {
  mode: Mode;
  list: string;
  /** Undefined: there is nothing to decide here, or not for this operator. */
  status: 'requested' | 'rejected' | undefined;
  rows: readonly ReplacementRow[];
  setOutcome: (outcome: ManyDone) => void;
}

function List({ mode, list, status, rows, setOutcome }: ListProps) {
  const chosen = useChosen<ReplacementRow>(({ order }) => order.id, list);
  const choose = chooseColumn(chosen, ({ order }) => `Choose order ${order.id}`);
  const columns = status ? [choose, ...facts(mode, rows), decide(mode)] : facts(mode, rows);
  return (
    <>
      <DataTable label="Replacements" columns={columns} rows={rows} rowKey={({ id }) => id} />
      {status && <DecideMany isOpen={status === 'requested'} onDone={setOutcome} {...{ mode, rows, chosen }} />}
    </>
  );
}

const oldEsims = {
  withdrawn: 'Withdrawn',
  suspended: 'Suspended',
  left: 'Still works: its supplier neither withdraws nor suspends it',
} as const;

const facts = (mode: Mode, rows: readonly ReplacementRow[]): Column<ReplacementRow>[] => [
  {
    label: 'Order',
    card: 'title',
    cell: ({ order }) => <RowLink to={paths.order(order.id, mode)}>{order.id}</RowLink>,
  },
  {
    label: 'Request',
    card: 'line',
    cell: ({ order, reason, requested_by }) => (
      <Stack gap={2} miw="11rem">
        <Anchor component={Link} to={paths.partner(order.partner.id)} size="sm" className="target">
          {order.partner.name}
        </Anchor>
        <Text span size="sm" c="dimmed">
          {order.title}
          {requested_by === 'traveller' && ', asked for by the traveller'}
        </Text>
        <Text span size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason === '' ? 'No reason given' : `“${reason}”`}
        </Text>
      </Stack>
    ),
  },
  { label: 'Requested', card: 'small', cell: ({ requested_at }) => <When at={requested_at} /> },
  ...(rows.some(({ new_order_id }) => new_order_id !== null)
    ? [
        {
          label: 'New order',
          cell: ({ new_order_id }: ReplacementRow) =>
            new_order_id && (
              <Anchor component={Link} to={paths.order(new_order_id, mode)} size="sm" className="target">
                {new_order_id}
              </Anchor>
            ),
        },
      ]
    : []),
  ...(rows.some(({ old_esim }) => old_esim !== null)
    ? [{ label: 'Old eSIM', cell: ({ old_esim }: ReplacementRow) => old_esim && oldEsims[old_esim] }]
    : []),
  {
    label: 'Budget this month',
    kind: 'figure',
    card: 'fact',
    cell: ({ budget, budget_spent }) =>
      budget !== null &&
      budget_spent !== null && (
        <span>
          <Cost amount={budget_spent} /> of <Money amount={budget} />
        </span>
      ),
  },
  {
    label: 'Costs you',
    kind: 'figure',
    card: 'figure',
    cell: ({ cost }) => (cost === null ? 'Not known' : <Cost amount={cost} />),
  },
];

const decide = (mode: Mode): Column<ReplacementRow> => ({
  label: 'Decide',
  kind: 'actions',
  cell: (row) => <Decide mode={mode} of={row} />,
});

function Decide({ mode, of: { order, cost, status } }: { mode: Mode; of: ReplacementRow }) {
  const approve = useAction('replacement approve', ORDERS);
  const reject = useAction('replacement reject', ORDERS);
  const input = { id: order.id, mode };
  return (
    <Group gap="xs" align="flex-start" justify="flex-end">
      <ConfirmButton
        size="xs"
        label="Replace eSIM"
        title={`Replace the eSIM of order ${order.id}?`}
        tone="give"
        change={{ ...approve, mutateAsync: () => approve.mutateAsync(input) }}
      >
        A new eSIM of the same plan is ordered. It costs you{' '}
        {cost === null ? 'an unknown amount' : <Cost amount={cost} />} and the partner nothing. Once it is delivered,
        the old one is withdrawn or suspended where its supplier can.
      </ConfirmButton>
      {status === 'requested' && (
        <ConfirmButton
          size="xs"
          label="Reject"
          title={`Reject the replacement of order ${order.id}?`}
          change={{ ...reject, mutateAsync: () => reject.mutateAsync(input) }}
        >
          The eSIM stays as it is, and the partner sees that its request was rejected. You can still approve it later.
        </ConfirmButton>
      )}
    </Group>
  );
}
