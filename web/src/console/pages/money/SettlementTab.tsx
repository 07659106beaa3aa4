import { Anchor, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { count } from '../../../parts/count.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconCoins } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { RowLink } from '../../../parts/RowLink.tsx';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { type SettledView, settlement } from '../../api/money.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { GraceDays } from './GraceDays.tsx';
import { Settle } from './Settle.tsx';

const PER_PAGE = 50;
const EVERY_MS = 30_000;

/** The revenue share: what waits, what a settlement would pay, and what was paid. */
export function SettlementTab() {
  const filters = useFilters();
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const read = useQuery({
    ...settlement({ before: of('before'), limit: size.value }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const may = useMay()('money');
  return (
    <Stack gap="lg">
      <Section
        title="Revenue share"
        about="A job settles shares every minute. Settle here if you do not want to wait for it."
        actions={may && read.data && <GraceDays now={read.data.grace_days} />}
      >
        <Loaded query={read} lines={3}>
          {(data) => (
            <Facts
              facts={[
                ['Paid so far', <Money key="paid" amount={data.paid} />],
                ['Calculated, not paid', <Money key="waiting" amount={data.waiting} />],
                ['Settled after expiry', count(data.grace_days, 'day')],
              ]}
            />
          )}
        </Loaded>
        {may ? (
          <Settle />
        ) : (
          <Text size="sm" c="dimmed" mt="md">
            Settling is for the roles admin and finance.
          </Text>
        )}
      </Section>
      <Section title="Settled shares" about="Shares paid to each partner, newest first." flush>
        <Loaded query={read} lines={6}>
          {({ settled, next }) => (
            <>
              {settled.length === 0 ? (
                <Empty icon={IconCoins} title="Nothing was settled yet">
                  Give a partner a revenue share on its page; its first share is settled when an eSIM has expired.
                </Empty>
              ) : (
                <DataTable label="Settled shares" columns={columns} rows={settled} rowKey={({ id }) => id} />
              )}
              <OlderPager
                shown={[settled.length, 'share']}
                size={size}
                isFurther={of('before') !== undefined}
                hasMore={next !== null}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(next ?? undefined)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Stack>
  );
}

const columns: readonly Column<SettledView>[] = [
  { label: 'Order', card: 'title', cell: ({ order_id }) => <RowLink to={paths.order(order_id)}>{order_id}</RowLink> },
  {
    label: 'Partner',
    cell: ({ partner }) => (
      <Anchor component={Link} to={paths.partner(partner.id)} size="sm">
        {partner.name}
      </Anchor>
    ),
  },
  { label: 'Settled', cell: ({ settled_at }) => <When at={settled_at} /> },
  { label: 'Share', kind: 'figure', cell: ({ share_pct }) => <span className="num">{Number(share_pct)}%</span> },
  { label: 'Off the debt', kind: 'figure', cell: ({ to_debt }) => <Money amount={to_debt} /> },
  { label: 'To the wallet', kind: 'figure', cell: ({ to_wallet }) => <Money amount={to_wallet} /> },
  { label: 'Amount', kind: 'figure', cell: ({ amount }) => <Money amount={amount} /> },
];
