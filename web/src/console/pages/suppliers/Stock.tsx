import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconPackage } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { type PlanStock, stock } from '../../api/service.ts';
import { useMay } from '../../useMay.ts';
import { SetLevel } from './SetLevel.tsx';

/** What is left of each plan. */
export function Stock({ supplier }: { supplier: string }) {
  const found = useQuery(stock(supplier));
  return (
    <Loaded query={found} lines={3}>
      {({ plans }) =>
        plans.length === 0 ? (
          <Empty icon={IconPackage} title="Nothing in stock">
            Orders for its plans wait until eSIMs are imported.
          </Empty>
        ) : (
          <DataTable label={`Stock of ${supplier}`} columns={columns} rows={plans} rowKey={({ plan }) => plan} />
        )
      }
    </Loaded>
  );
}

function Level({ of: it }: { of: PlanStock }) {
  const may = useMay();
  return (
    <Group gap="xs">
      {it.low === null ? 'Not set' : it.low.toLocaleString('en-US')}
      {may('manage') && <SetLevel of={it} />}
    </Group>
  );
}

const columns: readonly Column<PlanStock>[] = [
  { label: 'Plan', cell: ({ plan }) => <span className="mono">{plan}</span> },
  {
    label: 'For sale',
    cell: ({ available, is_low }) => (
      <>
        {available.toLocaleString('en-US')} {is_low && <Badge color="yellow">Low</Badge>}
      </>
    ),
  },
  { label: 'Sold', cell: ({ sold }) => sold.toLocaleString('en-US') },
  { label: 'Returned', cell: ({ returned }) => returned.toLocaleString('en-US') },
  { label: 'Expired', cell: ({ expired }) => expired.toLocaleString('en-US') },
  { label: 'Low from', cell: (row) => <Level of={row} /> },
];
