import { Badge, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconCash } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Pager } from '../../../parts/Pager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { Refusal } from '../../../parts/server/client.ts';
import { PER_PAGE } from '../../../subjects/money/movement.ts';
import { movementColumns } from '../../../subjects/money/movementColumns.tsx';
import { type Statement, statement } from '../../api/money.ts';
import { type StatementLine, statementLines } from '../../api/statements.ts';
import { paths } from '../../paths.ts';
import { Export } from './Export.tsx';

/** The account on invoice terms. Prepaid accounts may have none. */
export function StatementTab({ mode }: { mode: Mode }) {
  const read = useQuery(statement(mode, 1, 1));
  if (read.error instanceof Refusal && read.error.code === 'partner_account_not_found')
    return (
      <Section title="Statement">
        <Empty icon={IconCash} title="You’re not on invoice terms">
          Your purchases are paid from the wallet. Ask the operator if you want to pay by invoice.
        </Empty>
      </Section>
    );
  return (
    <Loaded query={read} lines={6}>
      {(data) => (
        <Stack>
          <Terms of={data} />
          <Lines mode={mode} />
        </Stack>
      )}
    </Loaded>
  );
}

function Lines({ mode }: { mode: Mode }) {
  const [page, setPage] = useState(1);
  const read = useQuery({ ...statementLines(mode, page, PER_PAGE), placeholderData: keepPreviousData });
  return (
    <Section
      title="Statement"
      about="Newest first. Charges increase what you owe, payments reduce it."
      flush
      actions={mode === 'live' && <Export mode={mode} file="statement" what="the statement" />}
    >
      <Loaded query={read} lines={6}>
        {({ lines, total }) => (
          <>
            {lines.length === 0 ? (
              <Empty icon={IconCash} title="No movements yet">
                Charges on invoice terms and their payments appear here. What is paid from the wallet is in the history.
              </Empty>
            ) : (
              <DataTable
                label="Statement"
                columns={movementColumns<StatementLine>((id) => paths.order(mode, id), {
                  at: ({ at }) => at,
                  after: 'Outstanding after',
                })}
                rows={lines}
                rowKey={({ id }) => id}
              />
            )}
            <Pager page={page} perPage={PER_PAGE} of={[total, 'movement']} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Terms({ of }: { of: Statement }) {
  return (
    <Section
      title="Terms"
      actions={<Badge color={of.status === 1 ? 'teal' : 'red'}>{of.status === 1 ? 'Active' : 'Suspended'}</Badge>}
    >
      <Facts
        facts={[
          ['Billing', of.billing_mode === 'postpaid' ? 'By invoice' : 'From the wallet'],
          ['Credit limit', <Money key="limit" amount={of.credit_limit} />],
          ['Outstanding', <Money key="outstanding" amount={of.outstanding} />],
          ['Available credit', <Money key="available" amount={of.available} />],
        ]}
      />
    </Section>
  );
}
