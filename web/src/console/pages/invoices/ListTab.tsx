import { Anchor, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { FilterChips, type FilterField } from '../../../parts/FilterChips.tsx';
import { IconReceipt } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { invoiceColumns } from '../../../subjects/invoices/invoiceColumns.tsx';
import { statusChoices } from '../../../subjects/invoices/invoices.ts';
import { type InvoiceListView, type InvoiceRowOfPartner, invoices } from '../../api/invoices.ts';
import { paths } from '../../paths.ts';
import { useWorld } from '../../useWorld.ts';

const PER_PAGE = 25;
/** Payments and new invoices show up by themselves. */
const EVERY_MS = 15_000;

type Age = InvoiceListView['ages'][number];

const ageName: Readonly<Record<Age['age'], string>> = {
  not_due: 'Not due yet',
  '0': 'Up to 29 days late',
  '30': '30 to 59 days late',
  '60': '60 to 89 days late',
  '90': '90 days late and more',
};

const fields: readonly FilterField[] = [
  { name: 'q', label: 'Number', kind: 'search', placeholder: 'INV2026-000001' },
  { name: 'status', label: 'Status', kind: 'choice', choices: statusChoices },
  {
    name: 'age',
    label: 'To be paid',
    kind: 'choice',
    choices: Object.entries(ageName).map(([value, label]) => ({ value, label })),
  },
  { name: 'partner', label: 'Partner', kind: 'text', placeholder: 'Name or id' },
];

const partnerColumn: Column<InvoiceRowOfPartner> = {
  label: 'Partner',
  card: 'line',
  cell: ({ partner }) => (
    <Anchor component={Link} to={paths.partner(partner.id)} size="sm" className="target">
      {partner.name}
    </Anchor>
  ),
};

/** What is yet to be paid, by age, and all documents. */
export function ListTab() {
  const mode = useWorld();
  const filters = useFilters();
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const names = ['q', 'status', 'age', 'partner', 'before'] as const;
  const query = Object.fromEntries(names.map((name) => [name, of(name)]));
  const read = useQuery({
    ...invoices(mode, { ...query, limit: size.value }),
    placeholderData: (last, asked) => (asked?.queryKey[2] === mode ? keepPreviousData(last) : undefined),
    refetchInterval: EVERY_MS,
  });
  const isFiltered = ['q', 'status', 'age', 'partner'].some((name) => of(name) !== undefined);
  return (
    <Stack gap="lg">
      <Section
        title="To be paid"
        about={`Open and overdue invoices${read.data?.partner ? ` of ${read.data.partner.name}` : ' of all partners'}, by how long ago they were due.`}
        flush
      >
        <Loaded query={read} lines={3}>
          {({ ages }) => <DataTable label="To be paid" columns={ageColumns} rows={ages} rowKey={({ age }) => age} />}
        </Loaded>
      </Section>
      <Section title="All invoices" flush>
        <FilterChips filters={filters} fields={fields} />
        <Loaded query={read} lines={6}>
          {({ invoices: rows, has_more }) => (
            <>
              {rows.length > 0 ? (
                <DataTable
                  label="Invoices"
                  columns={invoiceColumns((number) => paths.invoice(number, mode), [partnerColumn])}
                  rows={rows}
                  rowKey={({ id }) => id}
                />
              ) : (
                <Empty
                  icon={IconReceipt}
                  title={of('before') ? 'No older invoices' : isFiltered ? 'No invoice matches' : 'No invoices yet'}
                >
                  {!isFiltered &&
                    !of('before') &&
                    'They are issued once a month with sales is over and the seller is set up.'}
                </Empty>
              )}
              <OlderPager
                shown={[rows.length, 'invoice']}
                size={size}
                isFurther={of('before') !== undefined}
                hasMore={has_more}
                onNewest={() => goBefore(undefined)}
                onOlder={() => goBefore(rows.at(-1)?.id)}
              />
            </>
          )}
        </Loaded>
      </Section>
    </Stack>
  );
}

const ageColumns: readonly Column<Age>[] = [
  { label: 'Age', card: 'line', cell: ({ age, count: n }) => (n === 0 ? ageName[age] : <AgeLink age={age} />) },
  { label: 'Invoices', kind: 'figure', card: 'fact', cell: ({ count: n }) => <span className="num">{n}</span> },
  { label: 'Amount', kind: 'figure', card: 'figure', cell: ({ due }) => <Money amount={due} /> },
];

/** Shows these invoices below. */
function AgeLink({ age }: { age: Age['age'] }) {
  const { filter } = useFilters();
  return (
    <Anchor component="button" type="button" size="sm" className="target" onClick={() => filter({ age })}>
      {ageName[age]}
    </Anchor>
  );
}
