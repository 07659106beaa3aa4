import { Anchor, Button, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconDownload, IconHistory } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type AuditEntry, audit, auditFile, auditFilters } from '../../api/service.ts';
import { Difference, Sentence } from '../../Sentence.tsx';

const PER_PAGE = 50;
const EVERY_MS = 15_000;

/** Who changed what, in the console, the panel and at the command line. */
export function Audit() {
  const filters = useFilters();
  const chosen = Object.fromEntries(auditFilters.map((name) => [name, filters.of(name)]));
  const before = filters.of('before');
  const size = pageSize(filters, PER_PAGE);
  const found = useQuery({
    ...audit({ ...chosen, before, limit: size.value }),
    placeholderData: keepPreviousData,
    refetchInterval: before === undefined && EVERY_MS,
  });
  const isFiltered = Object.values(chosen).some((value) => value !== undefined);
  return (
    <Page
      title="Audit log"
      about="Every change made by operators and partners’ members, in the console, the panel or on the command line, newest first."
      actions={
        <Button
          component="a"
          href={auditFile(chosen)}
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
            {
              name: 'what',
              label: 'Change',
              kind: 'choice',
              choices: (found.data?.kinds ?? []).map((kind) => ({
                value: kind,
                label: kind.charAt(0).toUpperCase() + kind.slice(1),
              })),
            },
            { name: 'partner', label: 'Partner', kind: 'text', placeholder: 'Name or id' },
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
                shown={[entries.length, 'change']}
                size={size}
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
  {
    label: 'Change',
    cell: ({ who, by, sentence, difference }) => (
      <Stack gap={2} style={{ overflowWrap: 'anywhere' }}>
        <Sentence
          by={
            <Anchor
              component={Link}
              to={`?${new URLSearchParams({ who })}`}
              size="sm"
              fw={500}
              underline="always"
              display="inline"
              mih={0}
              title="Show only their changes"
            >
              {by.name}
            </Anchor>
          }
          parts={sentence}
        />
        <Difference of={difference} />
      </Stack>
    ),
  },
  {
    label: 'Made to',
    card: 'none',
    cell: ({ target }) => (
      <Narrow label={target} about={`Show only changes to ${target}`} onClick={() => filter({ target })} />
    ),
  },
  { label: 'Where', card: 'small', cell: ({ by }) => <span>{by.via}</span> },
  { label: 'Time', card: 'small', cell: ({ at }) => <When at={at} /> },
];

const Narrow = ({ label, about, onClick }: { label: string; about: string; onClick: () => void }) => (
  <Button
    variant="subtle"
    size="compact-sm"
    fw={500}
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
