import { Badge } from '@mantine/core';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconServer } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { Process } from '../../api/service.ts';
import { ago } from '../../durations.ts';

const roles: Readonly<Record<string, string>> = {
  all: 'Everything',
  api: 'API',
  worker: 'Background work',
  panel: 'Panel and console',
};

export const Processes = ({ of: processes }: { of: readonly Process[] }) => (
  <Section
    title="Processes"
    about="Each process sends a heartbeat every ten seconds. Stopped processes are not listed; one that was killed, or cannot reach the database, is listed as silent for a day."
    flush
  >
    {processes.length === 0 ? (
      <Empty icon={IconServer} title="No process has a heartbeat" />
    ) : (
      <DataTable label="Processes" columns={columns} rows={processes} rowKey={({ id }) => id} />
    )}
  </Section>
);

const columns: readonly Column<Process>[] = [
  {
    label: 'Process',
    cell: ({ host, pid }) => (
      <span className="mono">
        {host}:{pid}
      </span>
    ),
  },
  {
    label: 'Status',
    cell: ({ is_silent }) => <Badge color={is_silent ? 'red' : 'teal'}>{is_silent ? 'Silent' : 'Alive'}</Badge>,
  },
  { label: 'Does', cell: ({ role }) => roles[role] ?? role },
  { label: 'Version', cell: ({ version }) => <span className="num">{version}</span> },
  { label: 'Started', cell: ({ started_at }) => <When at={started_at} /> },
  { label: 'Last heartbeat', cell: ({ last_seen }) => <time dateTime={last_seen}>{ago(last_seen)}</time> },
];
