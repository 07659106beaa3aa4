import { Text } from '@mantine/core';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import type { CallFigures, Supplier } from '../../api/service.ts';
import { duration } from '../../durations.ts';
import { callName } from './call-words.ts';

interface Row extends CallFigures {
  readonly name: string;
}

/** Calls of the last hour and day, in all and by kind. */
export function CallTable({ of: { hour, day, calls } }: { of: Supplier }) {
  if (day.calls === 0)
    return (
      <Text size="sm" c="dimmed">
        No calls in the last 24 hours.
      </Text>
    );
  const rows: Row[] = [
    { name: 'Last hour', ...hour },
    { name: 'Last 24 hours', ...day },
    ...calls.map(({ call, ...figures }) => ({ name: `Of these: ${callName(call)}`, ...figures })),
  ];
  return <DataTable label="Calls" columns={columns} rows={rows} rowKey={({ name }) => name} />;
}

const figure = (value: number) => <span className="num">{value.toLocaleString('en-US')}</span>;

const columns: readonly Column<Row>[] = [
  { label: 'Calls', cell: ({ name }) => name },
  { label: 'Number', kind: 'figure', card: 'fact', cell: ({ calls }) => figure(calls) },
  { label: 'Without an answer', kind: 'figure', card: 'fact', cell: (row) => <Failed of={row} /> },
  { label: 'Refused', kind: 'figure', card: 'fact', cell: ({ refused }) => figure(refused) },
  { label: 'Median', kind: 'figure', card: 'fact', cell: ({ median_ms }) => within(median_ms) },
  { label: '95% within', kind: 'figure', card: 'fact', cell: ({ p95_ms }) => within(p95_ms) },
];

function Failed({ of: { calls, failed } }: { of: Row }) {
  if (failed === 0) return figure(0);
  const share = (100 * failed) / calls;
  return (
    <Text span size="sm" c="var(--danger)" className="num">
      {failed.toLocaleString('en-US')} ({share < 0.1 ? '<0.1' : Number(share.toFixed(1))}%)
    </Text>
  );
}

/** Durations are stored in buckets, so only their bounds are known. */
const within = (bound: number | null) =>
  bound === null ? '–' : <span className="num">{bound > 60_000 ? 'over 60 s' : `up to ${duration(bound)}`}</span>;
