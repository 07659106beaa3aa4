import { Anchor, Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section, sectionId } from '../../../parts/Section.tsx';
import { duration, share, whole } from '../../../subjects/insight/words.ts';
import { figures, type SalesRow } from '../../api/home.ts';
import type { Supplier } from '../../api/service.ts';
import { ago } from '../../durations.ts';

/** A supplier, with its live orders of the last 30 days; undefined: it had none, or they are not known yet. */
interface Line {
  readonly it: Supplier;
  readonly sold: SalesRow | undefined;
}

/** All suppliers in one look, to compare them. */
export function SideBySide({ of: suppliers }: { of: readonly Supplier[] }) {
  const { data } = useQuery({ ...figures({}), refetchInterval: 60_000 });
  const lines = suppliers.map((it) => ({ it, sold: data?.suppliers.find(({ key }) => key === it.supplier) }));
  return (
    <Section title="Side by side" about="Orders are those of live in the last 30 days." flush>
      <DataTable label="Suppliers" columns={columns} rows={lines} rowKey={({ it }) => it.supplier} />
    </Section>
  );
}

const columns: readonly Column<Line>[] = [
  {
    label: 'Supplier',
    cell: ({ it }) => (
      <Anchor href={`#${sectionId(it.title)}`} size="sm" className="target">
        {it.title}
      </Anchor>
    ),
  },
  {
    label: 'State',
    cell: ({ it }) => {
      if (it.off_since !== null) return <Badge color="gray">Off</Badge>;
      if (it.breaker_open_in > 0) return <Badge color="red">Breaker open</Badge>;
      return it.reach === 'fails' ? <Badge color="red">Last call failed</Badge> : null;
    },
  },
  {
    label: 'Orders',
    kind: 'figure',
    card: 'figure',
    cell: ({ sold }) => (
      <span className="num" style={{ whiteSpace: 'nowrap' }}>
        {count(sold?.orders ?? 0, 'order')}
      </span>
    ),
  },
  {
    label: 'Delivered',
    kind: 'figure',
    cell: ({ sold }) => sold && <span className="num">{share(sold.delivered, sold.delivered + sold.failed)}</span>,
  },
  {
    label: 'Time to delivery',
    kind: 'figure',
    cell: ({ sold }) => sold && <span className="num">{duration(sold.average_seconds)}</span>,
  },
  { label: 'Lost to others', kind: 'figure', cell: ({ it }) => <span className="num">{whole(it.lost)}</span> },
  {
    label: 'Balance there',
    kind: 'figure',
    cell: ({ it: { balance } }) => balance !== null && <Money amount={balance} />,
  },
  { label: 'Price list', kind: 'figure', cell: ({ it }) => (it.imported_at === null ? null : ago(it.imported_at)) },
];
