import { Box, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countryName } from '../../parts/countryName.ts';
import { type Column, DataTable } from '../../parts/DataTable.tsx';
import { Facts } from '../../parts/Facts.tsx';
import { Money } from '../../parts/Money.tsx';
import { Section } from '../../parts/Section.tsx';
import { monthName } from '../money/months.ts';
import { InvoiceStatus } from './InvoiceStatus.tsx';
import { dayOf, type InvoiceDocument, taxName } from './invoices.ts';

interface InvoiceSheetProps {
  of: InvoiceDocument;
  /** A link to the invoice that a credit note belongs to. */
  credited?: ReactNode;
}

/** A document as it was issued, and what was paid of it. */
export function InvoiceSheet({ of, credited }: InvoiceSheetProps) {
  const isNote = of.kind === 'credit_note';
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Section title={isNote ? 'Credit note' : 'Invoice'} actions={<InvoiceStatus of={of} />}>
          <Facts
            facts={[
              ['Credits', credited],
              ['Reason', of.reason],
              ['Month', monthName(of.month)],
              ['Issued', <Day key="issued" at={of.issued_at} />],
              ['Due', of.due_at && <Day key="due" at={of.due_at} />],
              ['Payment', of.is_prepaid && 'Paid from the balance'],
              ['Paid', !isNote && of.status !== 'void' && <Money key="paid" amount={of.amount_paid} />],
              ['Left to pay', !isNote && of.status !== 'void' && <Money key="left" amount={of.amount_due} />],
            ]}
          />
          {of.status === 'void' && (
            <Text size="sm" c="dimmed" mt="md">
              A credit note over all of it was issued, so nothing is to be paid.
            </Text>
          )}
        </Section>
        <Section title="Parties" about="As they were when it was issued.">
          <Facts
            facts={[
              ['Buyer', <Party key="buyer" of={of.buyer} />],
              ['Seller', <Party key="seller" of={of.seller} />],
            ]}
          />
        </Section>
      </SimpleGrid>
      <Section title="Lines" about={of.tax_category === 'S' ? 'Tax included.' : undefined} flush>
        <DataTable
          label="Lines"
          columns={columns}
          rows={of.lines.map((line, i) => ({ ...line, key: i }))}
          rowKey={({ key }) => key}
        />
      </Section>
      <Section title="Sum" about={taxName(of)}>
        {/* One column: it is read downwards. */}
        <Box maw={480}>
          <Facts
            facts={[
              ['Net', <Money key="net" amount={of.net} />],
              ['Tax', <Money key="tax" amount={of.tax} />],
              ['Total', <b key="total">{<Money amount={of.total} />}</b>],
            ]}
          />
        </Box>
        {of.text && (
          <Text size="sm" c="dimmed" mt="md">
            {of.text}
          </Text>
        )}
      </Section>
    </Stack>
  );
}

const Day = ({ at }: { at: string }) => <span className="num">{dayOf(at)} (UTC)</span>;

type PartyOf = InvoiceDocument['buyer'] | InvoiceDocument['seller'];

function Party({ of }: { of: PartyOf }) {
  const lines = [
    of.name,
    ...of.address,
    of.country && countryName(of.country),
    of.vat_id && `VAT id ${of.vat_id}`,
    'id' in of && of.id,
    'email' in of && of.email,
  ].filter((line) => line !== '' && line !== false);
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of an address may repeat, and never move.
        <span key={i}>{line}</span>
      ))}
    </Stack>
  );
}

type Line = InvoiceDocument['lines'][number] & { readonly key: number };

const columns: readonly Column<Line>[] = [
  { label: 'Description', card: 'line', cell: ({ description }) => description },
  {
    label: 'Quantity',
    kind: 'figure',
    card: 'fact',
    cell: ({ quantity }) => <span className="num">{quantity}</span>,
  },
  { label: 'Unit price', kind: 'figure', card: 'fact', cell: ({ unit_price }) => <Money amount={unit_price} /> },
  { label: 'Amount', kind: 'figure', card: 'figure', cell: ({ amount }) => <Money amount={amount} /> },
];
