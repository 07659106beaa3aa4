import { useQuery } from '@tanstack/react-query';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Page } from '../../../parts/Page.tsx';
import { Section } from '../../../parts/Section.tsx';
import { operators } from '../../api/staff.ts';
import { useMay } from '../../useMay.ts';
import { InviteOperator } from './changes.tsx';
import { actions, columns } from './columns.tsx';

export function Staff() {
  const all = useQuery(operators);
  const manages = useMay()('manage');
  return (
    <Page
      title="Operators"
      about="The people who can sign in to this console. Partners’ members are on their partner’s page."
    >
      <Section title="Everybody with access" actions={manages && <InviteOperator />} flush>
        <Loaded query={all}>
          {(data) => (
            <DataTable
              label="Operators"
              columns={manages ? [...columns, actions] : columns}
              rows={data.operators}
              rowKey={({ id }) => id}
            />
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
