import { Badge, Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconHistory } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { imports, type PastImport } from '../../api/catalog.ts';
import { ImportReport, reportSentence } from './ImportReport.tsx';

const EVERY_MS = 15_000;

/** `wasImported`: there are plans, so older imports are missing from the history. */
export function ImportHistory({ wasImported }: { wasImported: boolean }) {
  const { of, goBefore } = useFilters();
  const before = of('before');
  const found = useQuery({ ...imports({ before }), placeholderData: keepPreviousData, refetchInterval: EVERY_MS });
  return (
    <Section title="Past imports" about="Newest first, failed ones included." flush>
      <Loaded query={found} lines={4}>
        {({ imports: rows, has_more }) => (
          <>
            {rows.length === 0 ? (
              <Empty
                icon={IconHistory}
                title={
                  before !== undefined
                    ? 'No older imports'
                    : wasImported
                      ? 'No import is on record'
                      : 'Nothing was imported yet'
                }
              >
                {before === undefined &&
                  wasImported &&
                  'Today’s plans were loaded by the first start, or before imports were recorded.'}
              </Empty>
            ) : (
              <DataTable label="Past imports" columns={columns} rows={rows} rowKey={({ id }) => id} />
            )}
            <OlderPager
              shown={[rows.length, 'import']}
              isFurther={before !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.id)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<PastImport>[] = [
  { label: 'Supplier', cell: ({ supplier }) => supplier },
  { label: 'Time', card: 'small', cell: ({ finished_at }) => <When at={finished_at} /> },
  {
    label: 'By',
    cell: ({ who }) => <span style={{ overflowWrap: 'anywhere' }}>{who === 'schedule' ? 'Schedule' : who}</span>,
  },
  {
    label: 'State',
    cell: ({ error, counts, is_held }) =>
      is_held ? (
        <Badge color="yellow">On hold</Badge>
      ) : error !== null ? (
        <Badge color="red">Failed</Badge>
      ) : (counts?.skipped ?? 0) > 0 ? (
        <Badge color="yellow">With skipped rows</Badge>
      ) : (
        <Badge color="teal">Imported</Badge>
      ),
  },
  { label: 'Result', card: 'line', cell: (row) => <Outcome of={row} /> },
];

function Outcome({ of: { counts, error, supplier } }: { of: PastImport }) {
  const [opened, { open, close }] = useDisclosure();
  if (!counts)
    return (
      <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
        {error}
      </Text>
    );
  const hasMore = counts.added + counts.off_sale + counts.repriced + counts.skipped > 0;
  return (
    <Stack gap={4} align="flex-start">
      <Text size="sm" span>
        {reportSentence(counts, true)}
      </Text>
      {hasMore && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={open}
          aria-label={`What this import of ${supplier} changed`}
        >
          Details
        </Button>
      )}
      <Modal opened={opened} onClose={close} title={`Import of ${supplier}`} size="lg">
        <ImportReport of={counts} />
      </Modal>
    </Stack>
  );
}
