import { IconCash } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type History, history } from '../../api/money.ts';
import { DataTable } from '../../components/DataTable.tsx';
import { Empty } from '../../components/Empty.tsx';
import { Loaded } from '../../components/Loaded.tsx';
import { Pager } from '../../components/Pager.tsx';
import { Section } from '../../components/Section.tsx';
import { type Mode, paths } from '../../paths.ts';
import { Export } from './Export.tsx';
import { PER_PAGE } from './movement.ts';
import { movementColumns } from './movementColumns.tsx';

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
              <DataTable
                label="Wallet movements"
                columns={movementColumns<History['ledger'][number]>((id) => paths.order(mode, id), {
                  at: ({ date }) => date,
                  after: 'Balance',
                })}
                rows={ledger}
                rowKey={({ id }) => id}
              />
            )}
            <Pager page={page} full={ledger.length === PER_PAGE} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
