import { Badge, Stack, Text } from '@mantine/core';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconPlayerPlay } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import type { JobState } from '../../api/service.ts';
import { ago, duration } from '../../durations.ts';
import { jobText } from './job-words.ts';

/** Jobs with problems come first. */
const order: readonly JobState['state'][] = ['failing', 'late', 'not run', 'new', 'ok'];

export function Jobs({ of: jobs }: { of: readonly JobState[] }) {
  const sorted = jobs.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Section
      title="Jobs"
      about="Background work, over all processes. A run that finds nothing to do is a success."
      flush
    >
      {jobs.length === 0 ? (
        <Empty icon={IconPlayerPlay} title="No job has run yet" />
      ) : (
        <DataTable label="Jobs" columns={columns} rows={sorted} rowKey={({ job }) => job} />
      )}
    </Section>
  );
}

const states: Readonly<Record<JobState['state'], { label: string; color: string }>> = {
  ok: { label: 'OK', color: 'teal' },
  new: { label: 'Not yet run', color: 'gray' },
  failing: { label: 'Failing', color: 'red' },
  late: { label: 'Late', color: 'red' },
  'not run': { label: 'Not running', color: 'yellow' },
};

const columns: readonly Column<JobState>[] = [
  {
    label: 'Job',
    cell: ({ job }) => (
      <Stack gap={2}>
        <span>{jobText(job) || job}</span>
        <Text c="dimmed" className="mono" span>
          {job}
        </Text>
      </Stack>
    ),
  },
  { label: 'Status', cell: ({ state }) => <Badge color={states[state].color}>{states[state].label}</Badge> },
  {
    label: 'Looks for work',
    cell: ({ every_ms }) => (every_ms === null ? 'No process with a heartbeat runs it' : `Every ${duration(every_ms)}`),
  },
  {
    label: 'Last success',
    cell: ({ succeeded_at }) =>
      succeeded_at === null ? 'Never' : <time dateTime={succeeded_at}>{ago(succeeded_at)}</time>,
  },
  {
    label: 'Last failure',
    cell: ({ failed_at, error }) =>
      failed_at === null ? (
        '–'
      ) : (
        <Stack gap={2}>
          <When at={failed_at} />
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {error}
          </Text>
        </Stack>
      ),
  },
];
