import { Anchor, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Choice } from '../../../parts/Choice.tsx';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconClipboardCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import type { AnswerOf } from '../../../parts/server/calls.ts';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { type Application, applications } from '../../api/applications.ts';
import { paths } from '../../paths.ts';
import { ApplicationStatus, kindName } from './ApplicationStatus.tsx';

const EVERY_MS = 15_000;

const tabs = [
  { value: 'waiting', label: 'Waiting for you' },
  { value: 'asked', label: 'Asked' },
  { value: 'approved', label: 'Approved' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'opened', label: 'Sign-ups' },
] as const;

const none: Record<string, [title: string, more: string]> = {
  waiting: ['No application waits for you', 'Sign-ups to review and applications for live appear here.'],
  asked: ['No open questions', 'Applications with an open question are listed here until the applicant answers.'],
  approved: ['Nothing was approved yet', ''],
  rejected: ['Nothing was rejected', ''],
  opened: ['No sign-ups yet', 'Accounts opened through sign-up are listed here.'],
};

/** Applications from sign-up: for accounts, and for live. Those waiting for a decision come first. */
export function Applications() {
  const { of, filter, goBefore } = useFilters();
  const status = of('status') ?? 'waiting';
  const found = useQuery({
    ...applications({ status, before: of('before') }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  return (
    <Page title="Applications" about="Sign-ups, and applications for live from partners who signed up.">
      <Choice
        label="Which applications"
        options={tabs}
        value={status}
        onChange={(value) => filter({ status: value === 'waiting' ? undefined : value })}
      />
      <Section title={tabs.find(({ value }) => value === status)?.label ?? 'Applications'} flush>
        <Loaded query={found} lines={6}>
          {({ applications: rows, has_more }) => (
            <>
              {rows.length > 0 ? (
                <DataTable label="Applications" columns={columns} rows={rows} rowKey={({ id }) => id} />
              ) : (
                <Empty icon={IconClipboardCheck} title={none[status]?.[0] ?? 'Nothing here'}>
                  {none[status]?.[1]}
                </Empty>
              )}
              <OlderPager
                shown={[rows.length, 'application']}
                isFurther={of('before') !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

type Row = AnswerOf<'GET /operator/api/applications'>['applications'][number];

const columns: readonly Column<Row>[] = [
  { label: 'Applicant', cell: (row) => <Applicant of={row} /> },
  { label: 'Status', cell: (row) => <ApplicationStatus of={row} /> },
  { label: 'Wants', card: 'fact', cell: ({ kind }) => kindName[kind] },
  { label: 'Country', card: 'fact', cell: ({ country }) => country || null },
  {
    label: 'Sandbox, 30 days',
    card: 'fact',
    cell: ({ sandbox_orders }) => (sandbox_orders === null ? null : count(sandbox_orders, 'order')),
  },
  { label: 'Since', card: 'small', cell: ({ since }) => <When at={since} /> },
];

const Applicant = ({ of: { id, company, email } }: { of: Application }) => (
  <Stack gap={0} maw={320}>
    <Anchor
      component={Link}
      to={paths.application(id)}
      size="sm"
      fw={500}
      className="target"
      style={{ overflowWrap: 'anywhere' }}
    >
      {company}
    </Anchor>
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} span>
      {email}
    </Text>
  </Stack>
);
