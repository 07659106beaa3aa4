import { Anchor, Badge, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconCash } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { megabytes } from '../../../parts/megabytes.ts';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Section } from '../../../parts/Section.tsx';
import { When } from '../../../parts/When.tsx';
import { PER_PAGE } from '../../../subjects/money/movement.ts';
import { revenueShare, type Share } from '../../api/money.ts';
import { paths } from '../../paths.ts';
import { Export } from './Export.tsx';

export function ShareTab({ mode }: { mode: Mode }) {
  const [page, setPage] = useState(1);
  const read = useQuery({ ...revenueShare(mode, page, PER_PAGE), placeholderData: keepPreviousData });
  return (
    <Loaded query={read} lines={6}>
      {({ profit_share_enabled, items, total_share, total_unused_mb }) => (
        <Stack>
          <Section title="Revenue share on unused data">
            <Facts
              facts={[
                ['Revenue share', profit_share_enabled ? 'On' : 'Off'],
                ['Total share', <Money key="total" amount={total_share} />],
                ['Total unused data', megabytes(total_unused_mb)],
              ]}
            />
          </Section>
          <Section
            title="Shares"
            about="You earn a share on unused data once a plan has expired and the settlement period is over."
            flush
            actions={mode === 'live' && <Export mode={mode} file="revenue-share" what="the revenue shares" />}
          >
            {items.length === 0 ? (
              <Empty icon={IconCash} title="No shares yet">
                {mode === 'sandbox'
                  ? 'There is no revenue share in the sandbox.'
                  : profit_share_enabled
                    ? null
                    : 'Revenue share is off for your account. Ask the operator to turn it on.'}
              </Empty>
            ) : (
              <DataTable label="Revenue shares" columns={columns(mode)} rows={items} rowKey={({ id }) => id} />
            )}
            <OlderPager
              shown={[items.length, 'share']}
              isFurther={page > 1}
              hasMore={items.length === PER_PAGE}
              onNewest={() => setPage(1)}
              onOlder={() => setPage(page + 1)}
            />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

const columns = (mode: Mode): Column<Share>[] => [
  { label: 'Date', cell: ({ date }) => <When at={date} /> },
  {
    label: 'Order',
    cell: ({ order_id }) => (
      <Anchor component={Link} to={paths.order(mode, order_id)} className="mono">
        {order_id}
      </Anchor>
    ),
  },
  { label: 'Plan', cell: ({ product_title }) => product_title },
  { label: 'Unused', kind: 'figure', cell: (row) => `${megabytes(row.unused_mb)} of ${megabytes(row.plan_mb)}` },
  { label: 'Rate', kind: 'figure', cell: ({ share_pct, capped }) => `${share_pct}%${capped ? ' (capped)' : ''}` },
  {
    label: 'Status',
    cell: ({ status, channel }) => (
      <Badge color={status === 'settled' ? 'teal' : 'gray'}>
        {status === 'settled' ? channels[channel] : 'Pending'}
      </Badge>
    ),
  },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} /> },
];

/** Where a settled share went. */
const channels: Record<Share['channel'], string> = {
  '': 'Settled',
  none: 'Settled, nothing due',
  wallet: 'Paid to wallet',
  debt: 'Deducted from debt',
  split: 'Debt, rest to wallet',
};
