import { Anchor } from '@mantine/core';
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
import { type StatementLine, walletLines } from '../../api/statements.ts';
import { receiptAddress } from '../../api/topups.ts';
import { paths } from '../../paths.ts';
import { useIsView } from '../../useIsView.ts';
import { Export } from './Export.tsx';

export function HistoryTab({ mode }: { mode: Mode }) {
  const isView = useIsView();
  const [page, setPage] = useState(1);
  const read = useQuery({ ...walletLines(mode, page, PER_PAGE), placeholderData: keepPreviousData });
  return (
    <Section
      title="Wallet movements"
      about="Newest first, with the balance after each."
      flush
      actions={mode === 'live' && <Export mode={mode} file="movements" what="the movements" />}
    >
      <Loaded query={read} lines={6}>
        {({ lines, total }) => (
          <>
            {lines.length === 0 && (
              <Empty icon={IconCash} title="No movements yet">
                Top-ups, purchases and refunds appear here.
              </Empty>
            )}
            {lines.length > 0 && (
              <DataTable
                label="Wallet movements"
                columns={movementColumns<StatementLine>((id) => paths.order(mode, id), {
                  at: ({ at }) => at,
                  after: 'Balance',
                  more: (movement) => !isView && <Receipt mode={mode} movement={movement} />,
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

/** The note of a top-up by card holds its key; one that the operator recorded has no receipt. */
const CARD_PAYMENT = /^Card payment ((?:sbx_)?topup_[0-9a-f]{32})$/;

function Receipt({ mode, movement: { type, note } }: { mode: Mode; movement: StatementLine }) {
  const paymentKey = type === 'topup' ? CARD_PAYMENT.exec(note)?.[1] : undefined;
  if (paymentKey === undefined) return null;
  return (
    <div>
      <Anchor href={receiptAddress(mode, paymentKey)} download size="sm" className="target">
        Receipt
      </Anchor>
    </div>
  );
}
