import { Alert, Anchor, Badge, Group, List, Stack, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ConfirmButton } from '../../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Done } from '../../../parts/Done.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconUserCheck } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useChange } from '../../../parts/server/useChange.ts';
import { When } from '../../../parts/When.tsx';
import { approveProposal, type Proposal, proposals, rejectProposal } from '../../api/proposals.ts';
import { paths } from '../../paths.ts';
import { download } from '../privacy/download.ts';

const EVERY_MS = 15_000;
/** It may have changed anything, so all of it is read again. */
const EVERYTHING: readonly string[] = [];

/** Fields of an action that have a line of their own. */
const SHOWN_ABOVE = ['Partner', 'Partner id', 'Amount'];

/** What operators proposed and a second one has to approve. */
export function Proposals() {
  const found = useQuery({ ...proposals, refetchInterval: EVERY_MS });
  const [done, setDone] = useState<{ id: number; words: string }>();
  return (
    <Page title="Proposals" about="What needs a second operator before it is carried out. It expires after 24 hours.">
      {done && <Done key={done.id}>{done.words}</Done>}
      <Loaded query={found} lines={6}>
        {({ proposals: all }) => {
          const waiting = all.filter(({ status }) => status === 'waiting');
          const others = all.filter(({ status }) => status !== 'waiting');
          return (
            <>
              {waiting.map((one) => (
                <Waiting key={one.id} of={one} onDone={(words) => setDone({ id: one.id, words })} />
              ))}
              {waiting.length === 0 && (
                <Empty icon={IconUserCheck} title="Nothing waits for a second operator">
                  What a colleague proposes appears here, and you get a mail.
                </Empty>
              )}
              {others.length > 0 && (
                <Section title="Decided" flush>
                  <DataTable label="Decided" columns={columns} rows={others} rowKey={({ id }) => id} />
                </Section>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

interface WaitingProps {
  of: Proposal;
  onDone: (words: string) => void;
}

function Waiting({ of, onDone }: WaitingProps) {
  const partner = of.partner_id !== null && (
    <Anchor component={Link} to={paths.partner(of.partner_id)} size="sm">
      {of.partner_id}
    </Anchor>
  );
  return (
    <Section
      title={of.words}
      about={
        <>
          Proposed by {of.is_own ? 'you' : of.proposed_by} <When at={of.created_at} />
        </>
      }
    >
      <Stack>
        <Facts
          facts={[
            ['Amount', of.amount !== null && <Money amount={of.amount} />],
            ['Partner', partner],
            ...Object.entries(of.input).filter(([name]) => !SHOWN_ABOVE.includes(name)),
            ['Expires', <When key="expires" at={of.expires_at} />],
          ]}
        />
        <Changes of={of} />
        {of.is_own ? (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              Another operator has to approve it.
            </Text>
            <Reject of={of} onDone={onDone} />
          </Group>
        ) : of.may_decide ? (
          <Group justify="flex-end">
            <Reject of={of} onDone={onDone} />
            {(of.changes ?? []).length === 0 && <Approve of={of} onDone={onDone} />}
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            Your role does not allow you to decide this.
          </Text>
        )}
      </Stack>
    </Section>
  );
}

/** What is different from when it was proposed. Then approving it is refused. */
function Changes({ of: { changes } }: { of: Proposal }) {
  if (changes === null)
    return (
      <Text size="sm" c="dimmed">
        Whether anything changed since is checked when somebody approves it.
      </Text>
    );
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing it depends on has changed since.
      </Text>
    );
  return (
    <Alert color="yellow" role="status" p="sm" title="Changed since it was proposed, so it can no longer be approved">
      <List size="sm">
        {changes.map(({ what, was, is }) => (
          <List.Item key={what}>
            {what}: {was ?? 'not set'} → {is ?? 'not set'}
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

function Approve({ of, onDone }: WaitingProps) {
  const approve = useChange(
    () => approveProposal(of.id),
    EVERYTHING,
    ({ result }) => {
      if (of.action === 'privacy export') download('privacy-export.json', result);
      onDone(`Done: ${of.words}.`);
    },
  );
  return (
    <ConfirmButton
      label="Approve"
      title="Approve this proposal?"
      tone="give"
      change={{ ...approve, mutateAsync: () => approve.mutateAsync() }}
    >
      {of.words}. This happens at once. The audit log names {of.proposed_by} and you.
    </ConfirmButton>
  );
}

function Reject({ of, onDone }: WaitingProps) {
  const [reason, setReason] = useState('');
  const said = of.is_own ? 'Withdrawn.' : 'Rejected.';
  const reject = useChange(
    () => rejectProposal(of.id, reason.trim()),
    EVERYTHING,
    () => onDone(said),
  );
  return (
    <ConfirmButton
      label={of.is_own ? 'Withdraw' : 'Reject'}
      title={of.is_own ? 'Withdraw this proposal?' : 'Reject this proposal?'}
      isReady={of.is_own || reason.trim() !== ''}
      change={{ ...reject, mutateAsync: () => reject.mutateAsync() }}
      fields={
        !of.is_own && (
          <Textarea
            label="Reason"
            description={`${of.proposed_by} reads it here and in the audit log`}
            maxLength={500}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autosize
            minRows={2}
          />
        )
      }
    >
      Nothing is carried out. It can be proposed again.
    </ConfirmButton>
  );
}

const states: Record<Proposal['status'], { label: string; color: string }> = {
  waiting: { label: 'Waiting', color: 'yellow' },
  approved: { label: 'Approved', color: 'teal' },
  rejected: { label: 'Rejected', color: 'red' },
  withdrawn: { label: 'Withdrawn', color: 'gray' },
  expired: { label: 'Expired', color: 'gray' },
};

const columns: readonly Column<Proposal>[] = [
  {
    label: 'What',
    card: 'title',
    cell: ({ words }) => (
      <Text size="sm" maw={480} style={{ overflowWrap: 'anywhere' }}>
        {words}
      </Text>
    ),
  },
  { label: 'Status', cell: ({ status }) => <Badge color={states[status].color}>{states[status].label}</Badge> },
  { label: 'Proposed by', card: 'fact', cell: ({ proposed_by }) => proposed_by },
  { label: 'Decided by', card: 'fact', cell: ({ decided_by }) => decided_by },
  { label: 'Reason', card: 'fact', cell: ({ reason }) => reason || null },
  {
    label: 'When',
    card: 'small',
    cell: ({ decided_at, expires_at }) => <When at={decided_at ?? expires_at} />,
  },
];
