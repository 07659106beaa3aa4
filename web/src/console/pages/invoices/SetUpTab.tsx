import { Alert, Badge, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { countryName } from '../../../parts/countryName.ts';
import { type Column, DataTable } from '../../../parts/DataTable.tsx';
import { Empty } from '../../../parts/Empty.tsx';
import { Facts } from '../../../parts/Facts.tsx';
import { IconReceipt } from '../../../parts/icons.ts';
import { Loaded } from '../../../parts/Loaded.tsx';
import { Money } from '../../../parts/Money.tsx';
import { Section } from '../../../parts/Section.tsx';
import { type InvoiceSettingsView, invoiceSettings } from '../../api/invoices.ts';

/** Who sells, as documents say it, and how each kind of buyer is taxed. */
export function SetUpTab() {
  const read = useQuery(invoiceSettings);
  return (
    <Loaded query={read} lines={8}>
      {(settings) => (
        <Stack gap="lg">
          <SellerSection of={settings} />
          <Taxes of={settings.taxes} />
        </Stack>
      )}
    </Loaded>
  );
}

function SellerSection({ of: { seller, prefix, text, suspend_days, min_overdue } }: { of: InvoiceSettingsView }) {
  return (
    <Section title="Seller" about="From the settings of this server. Documents already issued keep what they say.">
      {seller === null ? (
        <Empty icon={IconReceipt} title="No invoice is issued">
          Set SELLER_NAME, SELLER_ADDRESS and SELLER_COUNTRY, and restart. Months that are over by then are issued at
          once.
        </Empty>
      ) : (
        <Facts
          facts={[
            ['Name', seller.name],
            [
              'Address',
              <span key="address" style={{ whiteSpace: 'pre-line' }}>
                {seller.address.join('\n')}
              </span>,
            ],
            ['Country', countryName(seller.country)],
            ['VAT id', seller.vat_id || <NotSet key="vat" name="SELLER_VAT_ID" />],
            ['Company number', seller.id || <NotSet key="id" name="SELLER_ID" />],
            [
              'Tax rate',
              seller.tax_rate === null ? <NotSet key="rate" name="SELLER_TAX_RATE" /> : `${Number(seller.tax_rate)} %`,
            ],
            ['Numbers', <span key="prefix" className="mono">{`${prefix}2026-000001`}</span>],
            ['Text at the end', text],
            [
              'Overdue',
              suspend_days === null ? (
                'Purchases are never refused for it'
              ) : (
                <span key="overdue">
                  Purchases are refused {suspend_days} days after the due date, if more than{' '}
                  <Money amount={min_overdue} /> is overdue
                </span>
              ),
            ],
          ]}
        />
      )}
    </Section>
  );
}

const NotSet = ({ name }: { name: string }) => (
  <Text span size="sm" c="dimmed">
    Not set (<span className="mono">{name}</span>)
  </Text>
);

type TaxRow = InvoiceSettingsView['taxes'][number];

const buyerName: Readonly<Record<TaxRow['buyer'], string>> = {
  no_country: 'Has not given its country',
  same_country: 'In your country',
  eu_without_vat_id: 'In another country of the EU, without a VAT id of the right form',
  eu_with_vat_id: 'In another country of the EU, with a VAT id of the right form',
  abroad: 'In any other country',
};

const categoryName: Readonly<Record<TaxRow['category'], string>> = {
  S: 'S, your rate, contained in the price',
  AE: 'AE, reverse charge: the buyer owes the tax',
  O: 'O, not subject to VAT',
};

const columns: readonly Column<TaxRow>[] = [
  { label: 'Buyer', card: 'title', cell: ({ buyer }) => buyerName[buyer] },
  { label: 'Tax category', card: 'line', cell: ({ category }) => categoryName[category] },
  {
    label: 'Rate',
    kind: 'figure',
    card: 'figure',
    cell: ({ rate }) => (rate === null ? '–' : <span className="num">{Number(rate)} %</span>),
  },
  {
    label: 'Status',
    card: 'state',
    cell: ({ missing }) =>
      missing.length === 0 ? (
        <Badge color="teal" tt="none">
          Issued
        </Badge>
      ) : (
        <Badge color="red" tt="none">
          Waits for {missing.join(', ')}
        </Badge>
      ),
  },
];

function Taxes({ of }: { of: readonly TaxRow[] }) {
  if (of.length === 0) return null;
  return (
    <Section title="How buyers are taxed" flush>
      <Stack px="lg" pb="md">
        <Alert color="yellow" p="sm">
          Have this table confirmed by your tax adviser before you issue the first invoice. Only the form of a VAT id is
          checked: look up whether it exists, for example in the VIES of the EU.
        </Alert>
      </Stack>
      <DataTable label="How buyers are taxed" columns={columns} rows={of} rowKey={({ buyer }) => buyer} />
    </Section>
  );
}
