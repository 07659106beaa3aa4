import { Badge, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { endOtherSessions, endSession, type OpenSession, sessions } from '../../api/account.ts';
import { useChange } from '../../api/queries.ts';
import { me } from '../../api/session.ts';
import { ConfirmButton } from '../../components/ConfirmButton.tsx';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';

/** Everywhere this person is signed in. */
export function Sessions() {
  const all = useQuery(sessions);
  const hasSeveralAccounts = (useQuery(me).data?.accounts.length ?? 0) > 1;
  const others = all.data?.sessions.some(({ is_this }) => !is_this);
  return (
    <Section
      title="Where you’re signed in"
      about="If you don’t recognise one of these, sign it out and change your password."
      actions={others && <EndOthers />}
      flush
    >
      <Loaded query={all}>
        {(data) => (
          <DataTable
            label="Sessions"
            columns={columns.filter(({ label }) => label !== 'Account' || hasSeveralAccounts)}
            rows={data.sessions}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  );
}

const columns: readonly Column<OpenSession>[] = [
  {
    label: 'Browser',
    cell: ({ browser, is_this }) => (
      <Group gap="xs">
        <span>{browser || 'Unknown browser'}</span>
        {is_this && <Badge color="gray">This one</Badge>}
      </Group>
    ),
  },
  { label: 'Account', cell: ({ partner_name }) => partner_name },
  { label: 'Signed in from', cell: ({ address }) => <span className="mono">{address || '–'}</span> },
  { label: 'Signed in (UTC)', cell: ({ opened_at }) => <When at={opened_at} /> },
  { label: 'Last seen (UTC)', cell: ({ last_seen_at }) => <When at={last_seen_at} /> },
  { label: 'Actions', kind: 'actions', cell: (session) => !session.is_this && <End of={session} /> },
];

function End({ of: { id } }: { of: OpenSession }) {
  const end = useChange(() => endSession(id), ['sessions']);
  return (
    <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
      Sign out
    </Button>
  );
}

function EndOthers() {
  const end = useChange(() => endOtherSessions(), ['sessions']);
  return (
    <ConfirmButton size="xs" label="Sign out everywhere else" title="Sign out everywhere else?" change={end}>
      You stay signed in here. On every other device you have to sign in again.
    </ConfirmButton>
  );
}
