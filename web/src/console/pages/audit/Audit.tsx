import { Button, Stack, Text } from '@mantine/core';
import { IconDownload, IconHistory } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { sentence } from '../../../subjects/account/activity-words.ts';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type AuditEntry, audit, auditFile, auditFilters } from '../../api/service.ts';

const EVERY_MS = 15_000;

/** Who changed what, in the console, the panel and at the command line. */
export function Audit() {
  const filters = useFilters();
  const sought = Object.fromEntries(auditFilters.map((name) => [name, filters.of(name)]));
  const before = filters.of('before');
  const found = useQuery({
    ...audit({ ...sought, before }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && EVERY_MS,
  });
  const isFiltered = Object.values(sought).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      about="Every change operators and partners’ members made, here, in the panel or at the command line, newest first."
      actions={
        <Button
          component="a"
          href={auditFile(sought)}
          download
          variant="default"
          leftSection={<IconDownload size={16} />}
          aria-label="Download these changes as CSV"
        >
          CSV
        </Button>
      }
    >
      <Section title="Changes" flush>
        <ListFilters
          list="audit"
          filters={filters}
          fields={[
            { name: 'who', label: 'Person', kind: 'text', placeholder: 'E-mail or login' },
            { name: 'what', label: 'Change', kind: 'choice', choices: found.data?.kinds ?? [] },
            { name: 'target', label: 'Made to', kind: 'text', placeholder: 'partner 7' },
            { name: 'from', label: 'From (UTC)', kind: 'minute' },
            { name: 'to', label: 'Before (UTC)', kind: 'minute' },
          ]}
        />
        <Loaded query={found} lines={8}>
          {({ entries, has_more }) => (
            <>
              {entries.length === 0 ? (
                <Empty
                  icon={IconHistory}
                  title={isFiltered ? 'No changes match' : before ? 'No older changes' : 'No changes yet'}
                />
              ) : (
                <DataTable label="Changes" columns={columns(filters.filter)} rows={entries} rowKey={({ id }) => id} />
              )}
              <OlderPager
                isFurther={before !== undefined}
                hasMore={has_more}
                onNewest={() => filters.goBefore(undefined)}
                onOlder={() => filters.goBefore(entries.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

type Filter = ReturnType<typeof useFilters>['filter'];

const columns = (filter: Filter): Column<AuditEntry>[] => [
  { label: 'Change', cell: (entry) => <What of={entry} /> },
  {
    label: 'Made to',
    cell: ({ target }) => (
      <Narrow label={target} about={`Show only changes to ${target}`} onClick={() => filter({ target })} />
    ),
  },
  {
    label: 'By',
    cell: ({ who }) => (
      <Narrow label={nameOf(who)} about={`Show only changes by ${nameOf(who)}`} onClick={() => filter({ who })} />
    ),
  },
  { label: 'Time (UTC)', cell: ({ at }) => <When at={at} /> },
];

/** `operator:ann@example.com` is a person in the console, `member:` one in the panel; others are logins at the command line. */
function nameOf(who: string): string {
  const [, kind, name] = /^(operator|member):(.+)$/.exec(who) ?? [];
  if (kind === 'operator') return `${name} (console)`;
  return kind === 'member' ? `${name} (panel)` : who;
}

const Narrow = ({ label, about, onClick }: { label: string; about: string; onClick: () => void }) => (
  <Button
    variant="subtle"
    size="compact-sm"
    fw={400}
    px={4}
    ml={-4}
    h="auto"
    className="target"
    styles={{ label: { whiteSpace: 'normal', overflowWrap: 'break-word', textAlign: 'start' } }}
    onClick={onClick}
    aria-label={about}
  >
    {label}
  </Button>
);

function What({ of: entry }: { of: AuditEntry }) {
  const said = sentence(entry.what, entry.about, !entry.who.startsWith('member:'));
  return (
    <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
      <span>{said ?? entry.what.charAt(0).toUpperCase() + entry.what.slice(1)}</span>
      {entry.changes.map((change) => (
        <Text key={change} size="xs" c="dimmed" span className="mono">
          {change}
        </Text>
      ))}
    </Stack>
  );
}
