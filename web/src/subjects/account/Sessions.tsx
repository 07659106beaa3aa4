import { Badge, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmButton } from '../../parts/ConfirmButton.tsx';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Loaded } from '../../parts/Loaded.tsx';
import { Section } from '../../parts/Section.tsx';
import { useChange } from '../../parts/server/useChange.ts';
import { When } from '../../parts/When.tsx';
import type { OpenSession, OwnAccount } from './account.ts';

/** Everywhere this person is signed in. */
export function Sessions({ own, hasSeveralAccounts = false }: { own: OwnAccount; hasSeveralAccounts?: boolean }) {
  const all = useQuery(own.sessions);
  const others = all.data?.sessions.some(({ is_this }) => !is_this);
  return (
    <Section
      title="Where you’re signed in"
      about="If you don’t recognise one of these, sign it out and change your password."
      actions={others && <EndOthers own={own} />}
      flush
    >
      <Loaded query={all}>
        {(data) => (
          <DataTable
            label="Sessions"
            columns={columnsOf(own).filter(({ label }) => label !== 'Account' || hasSeveralAccounts)}
            rows={data.sessions}
            rowKey={({ id }) => id}
          />
        )}
      </Loaded>
    </Section>
  );
}

const columnsOf = (own: OwnAccount): Column<OpenSession>[] => [
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
  { label: 'Signed in', cell: ({ opened_at }) => <When at={opened_at} /> },
  { label: 'Last seen', cell: ({ last_seen_at }) => <When at={last_seen_at} /> },
  { label: 'Actions', kind: 'actions', cell: (session) => !session.is_this && <End of={session} own={own} /> },
];

function End({ of: { id }, own }: { of: OpenSession; own: OwnAccount }) {
  const end = useChange(() => own.endSession(id), ['sessions']);
  return (
    <Button size="xs" variant="default" loading={end.isPending} onClick={() => end.mutate(undefined)}>
      Sign out
    </Button>
  );
}

function EndOthers({ own }: { own: OwnAccount }) {
  const end = useChange(() => own.endOtherSessions(), ['sessions']);
  return (
    <ConfirmButton size="xs" label="Sign out everywhere else" title="Sign out everywhere else?" change={end}>
      You stay signed in here. On every other device you have to sign in again.
    </ConfirmButton>
  );
}
