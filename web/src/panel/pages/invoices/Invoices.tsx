import { Button, Menu } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { FilterChips, type FilterField } from '../../../parts/FilterChips.tsx';
import { IconDownload, IconReceipt } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import type { Mode } from '../../../parts/mode.ts';
import { OlderPager } from '../../../parts/OlderPager.tsx';
import { Page } from '../../../parts/Page.tsx';
import { pageSize } from '../../../parts/pageSize.ts';
import { Section } from '../../../parts/Section.tsx';
import { useFilters } from '../../../parts/useFilters.ts';
import { invoiceColumns } from '../../../subjects/invoices/invoiceColumns.tsx';
import { type InvoiceRow, statusChoices } from '../../../subjects/invoices/invoices.ts';
import { monthName } from '../../../subjects/money/months.ts';
import { Allowed } from '../../Allowed.tsx';
import { invoices, linesFile } from '../../api/invoices.ts';
import { paths } from '../../paths.ts';
import { useMode } from '../../useMode.ts';
import { Notices } from '../notices/Notices.tsx';
import { BillingDetails } from './BillingDetails.tsx';

const PER_PAGE = 25;
/** A new invoice or a payment shows up by itself. */
const EVERY_MS = 30_000;

const fields: readonly FilterField[] = [
  { name: 'q', label: 'Number', kind: 'search', placeholder: 'INV2026-000001' },
  { name: 'status', label: 'Status', kind: 'choice', choices: statusChoices },
];

export function Invoices() {
  const { mode } = useMode();
  return (
    <Page
      title="Invoices"
      about="One for each calendar month (UTC) in which you bought something, issued on the 1st of the next. All amounts are in US dollars."
    >
      <Allowed to="see-money" cannot="see invoices">
        <Notices mode={mode} about={['account']} />
        <List key={mode} mode={mode} />
        <BillingDetails />
      </Allowed>
    </Page>
  );
}

function List({ mode }: { mode: Mode }) {
  const filters = useFilters();
  const { of, goBefore } = filters;
  const size = pageSize(filters, PER_PAGE);
  const [q, status, before] = [of('q'), of('status'), of('before')];
  const read = useQuery({
    ...invoices(mode, { q, status, before, limit: size.value }),
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <Section title="All invoices" flush actions={read.data && <LineFiles mode={mode} of={read.data.invoices} />}>
      <FilterChips filters={filters} fields={fields} />
      <Loaded query={read} lines={5}>
        {({ invoices: rows, has_more, is_issued }) => (
          <>
            {rows.length > 0 ? (
              <DataTable
                label="Invoices"
                columns={invoiceColumns<InvoiceRow>((number) => paths.invoice(mode, number))}
                rows={rows}
                rowKey={({ id }) => id}
              />
            ) : (
              <Empty
                icon={IconReceipt}
                title={before ? 'No older invoices' : isFiltered ? 'No invoice matches' : 'No invoices yet'}
              >
                {!before && !isFiltered && none(mode, is_issued)}
              </Empty>
            )}
            <OlderPager
              shown={[rows.length, 'invoice']}
              size={size}
              isFurther={before !== undefined}
              hasMore={has_more}
              onNewest={() => goBefore(undefined)}
              onOlder={() => goBefore(rows.at(-1)?.id)}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}

function none(mode: Mode, isIssued: boolean): string {
  if (!isIssued) return 'The operator of this server has not set up invoices. Your monthly statements are under Money.';
  return mode === 'sandbox'
    ? 'Buy something with play money and move the test clock into the next month: the invoice appears here.'
    : 'The first one comes on the 1st of the month after your first purchase.';
}

/** The lines of a month as a file, for each month of the documents in the list. */
function LineFiles({ mode, of }: { mode: Mode; of: readonly InvoiceRow[] }) {
  const months = [...new Set(of.map(({ month }) => month))].sort().reverse();
  if (months.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />}>
          Lines as CSV
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {months.map((month) => (
          <Menu.Item key={month} component="a" href={linesFile(mode, month)} download>
            {monthName(month)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
