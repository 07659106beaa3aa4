import { Anchor } from '@mantine/core';
import { IconCash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type History, history } from '../../api/money.ts';
import { type Column, DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Money } from '../../components/Money.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Section } from '../../components/Section.tsx';
import { When } from '../../components/When.tsx';
import { type Mode, paths } from '../../paths.ts';
import { Export } from './Export.tsx';
import { movementName, PER_PAGE } from './movement.ts';
import { Note } from './Note.tsx';

export function HistoryTab({ mode }: { mode: Mode }) {
  const [page, setPage] = useState(1);
  const read = useQuery({ ...history(mode, page, PER_PAGE), placeholderData: keepPreviousData });
  return (
    <Section
      title="Wallet movements"
      about="Newest first, with the balance after each."
      flush
      actions={mode === 'live' && <Export mode={mode} file="movements" what="the movements" />}
    >
      <Loaded query={read} lines={6}>
        {({ ledger }) => (
          <>
            {ledger.length === 0 && (
              <Empty icon={IconCash} title="No movements yet">
                {mode === 'sandbox'
                  ? 'The sandbox has a balance but keeps no history.'
                  : 'Top-ups, purchases and refunds appear here.'}
              </Empty>
            )}
            {ledger.length > 0 && (
              <DataTable label="Wallet movements" columns={columns(mode)} rows={ledger} rowKey={({ id }) => id} />
            )}
            <Pager page={page} full={ledger.length === PER_PAGE} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

const columns = (mode: Mode): Column<History['ledger'][number]>[] => [
  { label: 'Date (UTC)', cell: ({ date }) => <When at={date} /> },
  { label: 'Type', cell: ({ type }) => movementName(type) },
  {
    label: 'Order',
    cell: ({ order_id }) =>
      order_id === null ? (
        '–'
      ) : (
        <Anchor component={Link} to={paths.order(mode, order_id)} className="mono">
          {order_id}
        </Anchor>
      ),
  },
  { label: 'Note', cell: ({ note }) => <Note text={note} /> },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} movement /> },
  { label: 'Balance', kind: 'figure', cell: ({ balance_after }) => <Money amount={balance_after} /> },
];
