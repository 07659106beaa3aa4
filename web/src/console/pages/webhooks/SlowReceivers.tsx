import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type Slow, slow } from '../../api/service.ts';
import { duration } from '../../durations.ts';
import { Address } from './Address.tsx';

const EVERY_MS = 60_000;

/** Receivers that are slow in at least one attempt out of twenty. */
export function SlowReceivers({ mode }: { mode: string }) {
  const found = useQuery({ ...slow(mode), refetchInterval: EVERY_MS });
  return (
    <Section
      title="Slow receivers"
      about={
        found.data &&
        `At least one attempt in twenty took ${duration(found.data.slow_ms)} or longer. Counted over the last 24 hours and the latest ${found.data.attempts_read.toLocaleString('en-US')} attempts at most.`
      }
      flush
    >
      <Loaded query={found}>
        {({ receivers }) =>
          receivers.length === 0 ? (
            <Empty icon={IconCheck} title="No receiver is slow" />
          ) : (
            <DataTable
              label="Slow receivers"
              columns={columns}
              rows={receivers}
              rowKey={({ subscription_id }) => subscription_id}
            />
          )
        }
      </Loaded>
    </Section>
  );
}

const time = (ms: number) => <span className="num">{duration(ms)}</span>;

const columns: readonly Column<Slow>[] = [
  { label: 'Receiver', cell: (row) => <Address of={row} /> },
  { label: 'Attempts', kind: 'figure', card: 'fact', cell: ({ attempts }) => <span className="num">{attempts}</span> },
  { label: 'Failed', kind: 'figure', card: 'fact', cell: ({ failed }) => <span className="num">{failed}</span> },
  { label: 'Median', kind: 'figure', card: 'fact', cell: ({ median_ms }) => time(median_ms) },
  { label: '95% within', kind: 'figure', card: 'fact', cell: ({ p95_ms }) => time(p95_ms) },
  { label: 'Longest', kind: 'figure', card: 'fact', cell: ({ max_ms }) => time(max_ms) },
];
