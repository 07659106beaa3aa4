import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconCash } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { Pager } from '../../../parts/Pager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { PER_PAGE } from '../../../subjects/money/movement.ts';
import { movementColumns } from '../../../subjects/money/movementColumns.tsx';
import { type History, history } from '../../api/money.ts';
import { paths } from '../../paths.ts';
import { Export } from './Export.tsx';

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
        {({ ledger, has_more }) => (
          <>
            {ledger.length === 0 && (
              <Empty icon={IconCash} title="No movements yet">
                Top-ups, purchases and refunds appear here.
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
            <Pager page={page} full={has_more} onPage={setPage} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
