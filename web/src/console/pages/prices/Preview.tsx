import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { IconAlertTriangle } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { dollars, Money } from '../../../parts/Money.tsx';
import { Problem } from '../../../parts/Problem.tsx';
import type { Query } from '../../../parts/server/client.ts';
import { type PriceDifference, type PricePreviewView, preview } from '../../api/prices.ts';

interface PreviewedChangeProps {
  /** The change to preview. */
  input: Query;
  save: { mutate: () => void; isPending: boolean; error: unknown };
  saveLabel: string;
  isDanger?: boolean;
  onCancel: () => void;
}

/** What a change of prices would do, and the button that makes it. */
export function PreviewedChange({ input, save, saveLabel, isDanger = false, onCancel }: PreviewedChangeProps) {
  const found = useQuery(preview(input));
  return (
    <Stack>
      <Loaded query={found} lines={4}>
        {(it) => <Preview of={it} />}
      </Loaded>
      <Problem error={save.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          disabled={found.data === undefined || found.isFetching}
          loading={save.isPending}
          onClick={save.mutate}
          {...(isDanger && { color: 'red' })}
        >
          {saveLabel}
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ of: it }: { of: PricePreviewView }) {
  return (
    <Stack gap="sm" role="status">
      <Text size="sm">{sentence(it)}</Text>
      {it.rule && (
        <Text size="sm" c="dimmed">
          The rule there is now:{' '}
          {it.rule.price === null ? `${it.rule.share_pct}% of the margin` : dollars(it.rule.price)}.
        </Text>
      )}
      <FixedPrice of={it.fixed_price} />
      <Effect of={it.sales} />
      {it.compared_partners < it.open_partners && (
        <Alert color="yellow" icon={<IconAlertTriangle size={18} />} p="sm">
          These are the figures of {count(it.compared_partners, 'partner')} out of {it.open_partners}: their prices
          differ too much to compare all of them at once.
        </Alert>
      )}
      <Differences title="Largest falls" rows={it.largest_falls} />
      <Differences title="Largest rises" rows={it.largest_rises} />
      {it.most_affected.length > 0 && (
        <Part title={it.partners > it.most_affected.length ? 'Partners with the most changes' : 'Partners'}>
          <DataTable
            label="Partners"
            columns={partnerColumns}
            rows={it.most_affected}
            rowKey={(row) => row.partner_id}
          />
        </Part>
      )}
    </Stack>
  );
}

function sentence({ prices, plans, partners, rises, falls }: PricePreviewView): string {
  if (prices === 0) return 'No price changes.';
  const directions = [
    falls > 0 && `${count(falls, 'price')} will fall`,
    rises > 0 && `${count(rises, 'price')} will rise`,
  ];
  return `${count(plans, 'plan')} on sale will have another price for ${count(partners, 'partner')}: ${directions.filter(Boolean).join(' and ')}.`;
}

/** What the change would have meant for what was sold. */
function Effect({ of: it }: { of: PricePreviewView['sales'] }) {
  if (it.orders === 0) return <Text size="sm">Nothing was sold at these prices in the last 30 days.</Text>;
  return (
    <Part title="The last 30 days">
      <Text size="sm" mb="xs">
        {`${count(it.orders, 'order')} would have had another price. What was refunded is left out, and margins are at today’s cost${it.without_cost > 0 ? `, without ${count(it.without_cost, 'order')} whose cost is not known` : ''}.`}
      </Text>
      <DataTable
        label="The last 30 days"
        columns={effectColumns}
        rows={[
          { what: 'Revenue', from: it.revenue_before, to: it.revenue_after },
          ...(it.margin_before === null || it.margin_after === null
            ? []
            : [{ what: 'Margin', from: it.margin_before, to: it.margin_after }]),
        ]}
        rowKey={({ what }) => what}
      />
    </Part>
  );
}

const effectColumns: readonly Column<{ what: string; from: string; to: string }>[] = [
  { label: 'Sum', cell: ({ what }) => what },
  { label: 'As sold', kind: 'figure', card: 'fact', cell: ({ from }) => <Money amount={from} /> },
  { label: 'With this change', kind: 'figure', card: 'fact', cell: ({ to }) => <Money amount={to} /> },
  {
    label: 'Difference',
    kind: 'figure',
    card: 'figure',
    cell: ({ from, to }) => (
      <Money amount={(Math.round(Number(to) * 100) - Math.round(Number(from) * 100)) / 100} movement />
    ),
  },
];

function FixedPrice({ of: it }: { of: PricePreviewView['fixed_price'] }) {
  if (!it) return null;
  if (it.is_ignored)
    return (
      <Alert color="yellow" icon={<IconAlertTriangle size={18} />} p="sm">
        This price would be ignored. It has to be from {dollars(it.lowest)}, the lowest the cap allows, to the list
        price of {dollars(it.list_price)}.
      </Alert>
    );
  return it.on_sale ? null : <Text size="sm">The plan is not on sale, so nothing changes until it is.</Text>;
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}
      </Title>
      {children}
    </div>
  );
}

function Differences({ title, rows }: { title: string; rows: readonly PriceDifference[] }) {
  if (rows.length === 0) return null;
  return (
    <Part title={title}>
      <DataTable label={title} columns={differenceColumns} rows={rows} rowKey={({ product_id }) => product_id} />
    </Part>
  );
}

const differenceColumns: readonly Column<PriceDifference>[] = [
  { label: 'Plan', cell: ({ title }) => title },
  {
    label: 'For',
    cell: ({ partner_name, partners }) =>
      partners === 1 ? partner_name : `${partner_name} and ${count(partners - 1, 'other partner')}`,
  },
  {
    label: 'Price',
    kind: 'figure',
    cell: ({ from, to }) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        <Money amount={from} /> → <Money amount={to} />
      </span>
    ),
  },
];

const partnerColumns: readonly Column<PricePreviewView['most_affected'][number]>[] = [
  { label: 'Partner', cell: ({ name, partner_id }) => `${name} (${partner_id})` },
  { label: 'Fall', kind: 'figure', cell: ({ falls }) => falls },
  { label: 'Rise', kind: 'figure', cell: ({ rises }) => rises },
];
