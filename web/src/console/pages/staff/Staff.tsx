import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Column } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { PeopleTable } from '../../../subjects/people/PeopleTable.tsx';
import { me } from '../../api/session.ts';
import { type Operator, operators } from '../../api/staff.ts';
import { operatorRoles } from '../../operatorRoles.ts';
import { useMay } from '../../useMay.ts';
import { InviteOperator, NewLink, Remove, ResetSecondFactor, RoleOf } from './changes.tsx';
import { SingleSignOn } from './SingleSignOn.tsx';

export function Staff() {
  const all = useQuery(operators);
  const selfId = useQuery(me).data?.operator.id;
  const manages = useMay()('manage');
  return (
    <Page
      title="Operators"
      about="The people who can sign in to this console. Partners’ members are on their partner’s page."
    >
      <Section title="Everybody with access" actions={manages && <InviteOperator />} flush>
        <Loaded query={all}>
          {(data) => (
            <PeopleTable
              label="Operators"
              people={data.operators}
              roles={operatorRoles.name}
              selfId={selfId}
              more={[secondFactor]}
              since={{ label: 'Added', of: ({ created_at }) => created_at }}
              actions={manages ? (operator) => <Actions of={operator} /> : undefined}
            />
          )}
        </Loaded>
      </Section>
      <SingleSignOn />
    </Page>
  );
}

const secondFactor: Column<Operator> = {
  label: 'Two-step sign-in',
  cell({ second_factor, needs_second_factor, accepted }) {
    if (second_factor) return <Badge color="teal">On</Badge>;
    return needs_second_factor && accepted ? (
      <Badge color="yellow">Must be set up</Badge>
    ) : (
      <Badge color="gray">Off</Badge>
    );
  },
};

const Actions = ({ of: operator }: { of: Operator }) => (
  <Group gap="xs" justify="flex-end">
    <NewLink of={operator} />
    <RoleOf operator={operator} />
    {operator.second_factor && <ResetSecondFactor of={operator} />}
    <Remove of={operator} />
  </Group>
);
