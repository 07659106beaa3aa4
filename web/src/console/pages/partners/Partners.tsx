import { Anchor, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { IconUsers } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { type Filters, useFilters } from '../../../parts/useFilters.ts';
import { When } from '../../../parts/When.tsx';
import { ListFilters } from '../../../subjects/views/ListFilters.tsx';
import { type PartnerRow, partners } from '../../api/partners.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../useMay.ts';
import { NewPartner } from './NewPartner.tsx';
import { billingName, PartnerStatus, statusNames } from './PartnerStatus.tsx';

const PER_PAGE = 50;
/** Orders and balances change all the time. */
const EVERY_MS = 30_000;

const filterNames = ['q', 'status', 'billing'] as const;

export function Partners() {
  const may = useMay();
  const filters = useFilters();
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const filter = { q: of('q'), status: of('status'), billing: of('billing'), before: of('before'), limit: size.value };
  const found = useQuery({ ...partners(filter), placeholderData: keepPreviousData, refetchInterval: EVERY_MS });
  const isFiltered = filterNames.some((name) => of(name) !== undefined);
  return (
    <Page
      title="Partners"
      about="Everybody who resells through this service, newest first."
      actions={may('manage') && <NewPartner />}
    >
      <Section title="All partners" flush>
        <PartnerFilters filters={filters} />
        <Loaded query={found} lines={8}>
          {({ partners: rows, has_more }) => (
            <>
              {rows.length > 0 ? (
                <DataTable label="Partners" columns={columns} rows={rows} rowKey={({ id }) => id} />
              ) : (
                <Empty icon={IconUsers} title={isFiltered ? 'No partner matches' : 'No partners yet'}>
                  {isFiltered
                    ? 'Search by part of the name or contact email, by the whole email of a member, or by id.'
                    : 'Create the first one, then invite a member: they get a panel of their own.'}
                </Empty>
              )}
              <OlderPager
                shown={[rows.length, 'partner']}
                size={size}
                isFurther={filter.before !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}

const billings = Object.entries(billingName).map(([value, label]) => ({ value, label }));

const PartnerFilters = ({ filters }: { filters: Filters }) => (
  <ListFilters
    list="partners"
    filters={filters}
    fields={[
      { name: 'q', label: 'Name, email or id', kind: 'search' },
      { name: 'status', label: 'Status', kind: 'choice', choices: statusNames },
      { name: 'billing', label: 'Billing', kind: 'choice', choices: billings },
    ]}
  />
);

const columns: readonly Column<PartnerRow>[] = [
  { label: 'Partner', cell: (row) => <Name of={row} /> },
  { label: 'Status', cell: (row) => <PartnerStatus of={row} /> },
  { label: 'Billing', card: 'line', cell: ({ billing_mode }) => billingName[billing_mode] },
  { label: 'Balance or debt', card: 'figure', kind: 'figure', cell: (row) => <Holding of={row} /> },
  {
    label: 'Can spend',
    card: 'fact',
    kind: 'figure',
    cell: ({ status, wallet }) => (status === 'active' ? <Money amount={wallet.available} /> : null),
  },
  {
    label: 'Orders, 30 days',
    card: 'fact',
    kind: 'figure',
    cell: ({ recent }) => <span className="num">{recent.orders.toLocaleString('en-US')}</span>,
  },
  { label: 'Id', cell: ({ id }) => <span className="num">{id}</span> },
  { label: 'Created', cell: ({ created_at }) => <When at={created_at} /> },
];

function Name({ of: { id, name, email } }: { of: PartnerRow }) {
  const { pathname, search } = useLocation();
  return (
    <Stack gap={0} maw={320}>
      <Anchor
        component={Link}
        to={paths.partner(id)}
        state={{ from: pathname + search }}
        size="sm"
        fw={500}
        className="target"
        style={{ overflowWrap: 'anywhere' }}
      >
        {name}
      </Anchor>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }} span>
        {email}
      </Text>
    </Stack>
  );
}

/** The balance that pays for the partner's purchases; the other one only if it is not zero. */
function Holding({ of: { billing_mode, wallet } }: { of: PartnerRow }) {
  const isOnCredit = billing_mode === 'postpaid';
  return (
    <Stack gap={0} align="flex-end">
      {(!isOnCredit || Number(wallet.balance) !== 0) && (
        <span>
          <Money amount={wallet.balance} />
        </span>
      )}
      {(isOnCredit || Number(wallet.debt) !== 0) && <Debt amount={wallet.debt} />}
    </Stack>
  );
}

/** Below zero after a refund of something already paid. */
function Debt({ amount }: { amount: string }) {
  const isOurs = Number(amount) < 0;
  return (
    <Text size="sm" span>
      {isOurs ? 'We owe ' : 'Owes '}
      <Money amount={isOurs ? -Number(amount) : amount} />
    </Text>
  );
}
