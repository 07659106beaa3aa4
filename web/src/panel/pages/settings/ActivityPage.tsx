import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconHistory } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { type Activity, activity } from '../../api/account.ts';
import { paths } from '../../paths.ts';
import { changeText } from './activity-words.ts';

const PER_PAGE = 50;

/** Who changed what in this account. */
export function ActivityPage() {
  const filters = useFilters();
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const before = of('before');
  const page = useQuery(activity({ before, limit: size.value }));
  return (
    <Page
      title="Activity"
      about="What people changed in this account, newest first: your members here, and the operator of this server."
      back={{ to: paths.settings, label: 'Settings' }}
    >
      <Section title="Changes" flush>
        <Loaded query={page} lines={6}>
          {({ entries, has_more }) => (
            <>
              {entries.length === 0 ? (
                <Empty icon={IconHistory} title={before === undefined ? 'No changes yet' : 'No older changes'} />
              ) : (
                <DataTable label="Changes" columns={columns} rows={entries} rowKey={({ id }) => id} />
              )}
              <OlderPager
                shown={[entries.length, 'change']}
                size={size}
                isFurther={before !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(entries.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

const columns: readonly Column<Activity>[] = [
  { label: 'Change', cell: (entry) => <What of={entry} /> },
  { label: 'By', cell: ({ by }) => <span style={{ overflowWrap: 'anywhere' }}>{by ?? 'Operator'}</span> },
  { label: 'Time', cell: ({ at }) => <When at={at} /> },
];

function What({ of: entry }: { of: Activity }) {
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <span>{entry.sentence}</span>
      {entry.changes.map((change) => (
        <Text key={change.field} size="xs" c="dimmed" span>
          {changeText(change)}
        </Text>
      ))}
    </Stack>
  );
}
