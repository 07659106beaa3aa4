import { Badge, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconDownload } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { type Source, sources } from '../../api/catalog.ts';
import { useMay } from '../../useMay.ts';
import { ImportHistory } from './ImportHistory.tsx';
import { TryImport } from './TryImport.tsx';
import { UploadList } from './UploadList.tsx';

/** Imports run in another process, so the page polls. */
const EVERY_MS = 15_000;

export function ImportsTab() {
  const found = useQuery({ ...sources, refetchInterval: EVERY_MS });
  const mayImport = useMay()('manage');
  return (
    <Stack>
      <Section
        title="Lists"
        about={found.data && schedule(found.data.every_hours)}
        actions={mayImport && <UploadList />}
        flush
      >
        <Loaded query={found} lines={4}>
          {({ sources: rows, every_hours }) =>
            rows.length === 0 ? (
              <Empty icon={IconDownload} title="No suppliers yet">
                Configure a supplier, or upload a file with its plans.
              </Empty>
            ) : (
              <DataTable
                label="Lists"
                columns={columns(mayImport, every_hours > 0)}
                rows={rows}
                rowKey={({ supplier }) => supplier}
              />
            )
          }
        </Loaded>
      </Section>
      <ImportHistory wasImported={found.data?.sources.some(({ imported_at }) => imported_at !== null) ?? false} />
    </Stack>
  );
}

const schedule = (everyHours: number): string =>
  everyHours === 0
    ? 'Lists are imported only by hand, because CATALOG_SYNC_HOURS is not set.'
    : `Each list is imported when it is ${count(everyHours, 'hour')} old. After a failure it is tried again within the hour.`;

const columns = (mayImport: boolean, isScheduled: boolean): Column<Source>[] => [
  {
    label: 'Supplier',
    cell: ({ title, supplier }) => `${title} (${supplier})`,
  },
  { label: 'State', cell: (source) => <State of={source} /> },
  { label: 'Plans on sale', cell: ({ plans, on_sale }) => `${on_sale} of ${plans}` },
  { label: 'Last imported', cell: ({ imported_at }) => <When at={imported_at} never="Never" /> },
  ...(isScheduled
    ? [
        {
          label: 'Next',
          cell: ({ is_configured, next_at }: Source) =>
            is_configured ? <When at={next_at} never="When a worker next checks" /> : null,
        },
      ]
    : []),
  ...(mayImport
    ? [
        {
          label: 'Actions',
          kind: 'actions' as const,
          cell: ({ supplier, title, is_configured, has_previous }: Source) => (
            <Group gap="xs" justify="flex-end">
              {is_configured && <TryImport supplier={supplier} title={title} />}
              {has_previous && <TryImport supplier={supplier} title={title} previous />}
            </Group>
          ),
        },
      ]
    : []),
];

function State({ of: { is_configured, is_held, failures, last_error } }: { of: Source }) {
  if (!is_configured) return <Badge color="gray">Not configured</Badge>;
  if (last_error === null) return <Badge color="teal">Ready</Badge>;
  return (
    <Stack gap={2} maw={320}>
      {is_held ? (
        <Badge color="yellow">On hold</Badge>
      ) : (
        <Badge color="red">{failures > 1 ? `Failed ${failures} times` : 'Failed'}</Badge>
      )}
      <Text size="xs" span style={{ overflowWrap: 'anywhere' }}>
        {last_error}
      </Text>
    </Stack>
  );
}
