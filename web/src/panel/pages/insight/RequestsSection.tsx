import { Group, Text } from '@mantine/core';
import { LazyChart } from '../../../parts/charts/LazyChart.tsx';
import type { Colour } from '../../../parts/charts/series.ts';
import { count } from '../../../parts/count.ts';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconApi } from '../../../parts/icons.ts';
import { Section } from '../../../parts/Section.tsx';
import { pointsOf, stepLabel } from '../../../subjects/insight/points.ts';
import { counts, share, whole } from '../../../subjects/insight/words.ts';
import type { RequestsInsight } from '../../api/insight.ts';

const groups: readonly { name: string; colour: Colour; has: (status: number) => boolean }[] = [
  { name: 'Succeeded', colour: 2, has: (status) => status < 400 },
  { name: 'Rejected (4xx)', colour: 3, has: (status) => status >= 400 && status < 500 && status !== 429 },
  { name: 'Rate limited (429)', colour: 5, has: (status) => status === 429 },
  { name: 'Failed (5xx)', colour: 4, has: (status) => status >= 500 },
];

/** API calls by outcome and by endpoint. */
export function RequestsSection({ of: { per, points, endpoints, kept_days } }: { of: RequestsInsight }) {
  const kept = `Calls with your API keys, in real time. Counted for the last ${count(kept_days, 'day')}.`;
  if (endpoints.length === 0)
    return (
      <Section title="API requests" about={kept}>
        <Empty icon={IconApi} title="No requests in these days" />
      </Section>
    );
  return (
    <>
      <Section title="API requests" about={kept}>
        <LazyChart
          data={{
            label: `API requests by ${per} and status`,
            pointsLabel: stepLabel[per],
            kind: 'bars',
            points: pointsOf(per, points),
            series: groups.map(({ name, colour, has }) => ({
              name,
              colour,
              values: points.map(({ statuses }) => sumOf(statuses, has)),
            })),
            measure: counts,
          }}
        />
        <Statuses points={points} />
      </Section>
      <Section title="Requests by endpoint" flush>
        <DataTable
          label="Requests by endpoint"
          rows={endpoints}
          rowKey={({ endpoint }) => endpoint}
          columns={[
            {
              label: 'Endpoint',
              cell: ({ endpoint }) =>
                endpoint === 'unknown' ? 'Addresses that do not exist' : <span className="mono">{endpoint}</span>,
            },
            {
              label: 'Requests',
              kind: 'figure',
              cell: ({ requests }) => <span className="num">{whole(requests)}</span>,
            },
            {
              label: 'Not successful',
              kind: 'figure',
              cell: ({ requests, errors }) => (
                <span className="num">{errors === 0 ? '0' : `${whole(errors)} (${share(errors, requests)})`}</span>
              ),
            },
          ]}
        />
      </Section>
    </>
  );
}

const sumOf = (statuses: Readonly<Record<string, number>>, has: (status: number) => boolean): number =>
  Object.entries(statuses).reduce((sum, [status, requests]) => sum + (has(Number(status)) ? requests : 0), 0);

/** Each status that occurred, with how often. */
function Statuses({ points }: Pick<RequestsInsight, 'points'>) {
  const all = new Map<string, number>();
  for (const { statuses } of points)
    for (const [status, requests] of Object.entries(statuses)) all.set(status, (all.get(status) ?? 0) + requests);
  return (
    <Group gap="md" mt="xs">
      {[...all].sort().map(([status, requests]) => (
        <Text key={status} size="xs" className="num" span>
          {status}: {whole(requests)}
        </Text>
      ))}
    </Group>
  );
}
