import { Badge, Stack } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Refusal } from '../../api/client.ts';
import { type Statement, statement } from '../../api/money.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Facts } from '../../components/Facts.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import type { Mode } from '../../paths.ts';
import { movementName, PER_PAGE } from './movement.ts';

/** The account on invoice terms. Prepaid accounts may have none. */
export function StatementTab({ mode }: { mode: Mode }) {
  const [page, setPage] = useState(1);
  const read = useQuery({ ...statement(mode, page, PER_PAGE), placeholderData: keepPreviousData });
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
          <Section title="Statement" about="Newest first. Charges increase what you owe, payments reduce it." flush>
            {data.ledger.length === 0 ? (
              <Empty icon={IconCash} title="No movements yet" />
            ) : (
              <DataTable label="Statement" columns={columns} rows={data.ledger} rowKey={({ id }) => id} />
            )}
            <Pager page={page} full={data.ledger.length === PER_PAGE} onPage={setPage} />
          </Section>
        </Stack>
      )}
    </Loaded>
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

const columns: readonly Column<Statement['ledger'][number]>[] = [
  { label: 'Date (UTC)', cell: ({ date }) => <When at={date} /> },
  { label: 'Type', cell: ({ type }) => movementName(type) },
  { label: 'Note', cell: ({ note }) => note || '–' },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} movement /> },
  { label: 'Outstanding after', kind: 'figure', cell: ({ balance_after }) => <Money amount={balance_after} /> },
];
