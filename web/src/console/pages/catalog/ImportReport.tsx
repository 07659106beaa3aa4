import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { ImportCounts } from '../../api/catalog.ts';

export function reportSentence({ plans, added, changed, off_sale, previous }: ImportCounts, isDone: boolean): string {
  const list = previous ? 'The previous list' : 'The list';
  if (added + changed + off_sale === 0)
    return isDone
      ? `${list} was imported. Nothing has changed.`
      : `${list} has ${count(plans, 'plan')}. Nothing would change.`;
  const parts = [
    added > 0 && `${count(added, 'plan')} added`,
    changed > 0 && `${count(changed, 'plan')} changed`,
    off_sale > 0 && `${count(off_sale, 'plan')} taken off sale`,
  ];
  const text = parts.filter(Boolean).join(', ');
  return isDone
    ? `${list} was imported: ${text}.`
    : `${list} has ${count(plans, 'plan')}. An import would change: ${text}.`;
}

/** What an import did, or would do, with examples. */
export function ImportReport({ of: it }: { of: ImportCounts }) {
  return (
    <Stack gap="sm">
      <Part title="New prices" of={it.repriced} shown={it.repriced_plans.length}>
        <DataTable label="New prices" columns={repriced} rows={it.repriced_plans} rowKey={({ code }) => code} />
      </Part>
      <Part title="New plans" of={it.added} shown={it.added_plans?.length ?? 0}>
        <DataTable label="New plans" columns={named} rows={it.added_plans ?? []} rowKey={({ code }) => code} />
      </Part>
      <Part title="No longer listed, taken off sale" of={it.off_sale} shown={it.off_sale_plans?.length ?? 0}>
        <DataTable label="Taken off sale" columns={named} rows={it.off_sale_plans ?? []} rowKey={({ code }) => code} />
      </Part>
      <Part title="Rows that cannot be read, skipped" of={it.skipped} shown={it.skipped_rows.length}>
        <DataTable label="Skipped rows" columns={skipped} rows={it.skipped_rows} rowKey={({ code }) => code} />
      </Part>
    </Stack>
  );
}

function Part({ title, of, shown, children }: { title: string; of: number; shown: number; children: ReactNode }) {
  if (of === 0) return null;
  return (
    <div>
      <Title order={3} size="h5" mb={4}>
        {title}: {of}
      </Title>
      {shown > 0 && children}
      {shown > 0 && shown < of && (
        <Text size="xs" c="dimmed" mt={4}>
          The first {shown} are shown.
        </Text>
      )}
    </div>
  );
}

const code = <Row extends { code: string }>(): Column<Row> => ({
  label: 'Supplier’s code',
  card: 'fact',
  cell: (row) => (
    <span className="mono" style={{ overflowWrap: 'anywhere' }}>
      {row.code}
    </span>
  ),
});

const repriced: readonly Column<ImportCounts['repriced_plans'][number]>[] = [
  { ...code(), card: 'title' },
  {
    label: 'List price',
    kind: 'figure',
    cell: ({ from, to }) => (
      <span style={{ whiteSpace: 'nowrap' }}>
        <Money amount={from} /> → <Money amount={to} />
      </span>
    ),
  },
];

const named: readonly Column<ImportCounts['added_plans'][number]>[] = [
  { label: 'Plan', card: 'title', cell: ({ title }) => title },
  code(),
  { label: 'List price', kind: 'figure', cell: ({ price }) => <Money amount={price} /> },
];

const skipped: readonly Column<ImportCounts['skipped_rows'][number]>[] = [
  { ...code(), card: 'title' },
  { label: 'Reason', card: 'line', cell: ({ reason }) => reason },
];
