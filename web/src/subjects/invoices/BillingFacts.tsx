import { Text } from '@mantine/core';
import { countryName } from '../../parts/countryName.ts';
import { Facts } from '../../parts/Facts.tsx';
import type { Billing } from './billing.ts';

/** Whom invoices are made out to. What was not given says so; nothing is guessed. */
export function BillingFacts({ of, showsTerms }: { of: Billing; showsTerms: boolean }) {
  return (
    <Facts
      facts={[
        ['Legal name', of.legal_name || <NotGiven key="name" />],
        [
          'Address',
          of.billing_address.length === 0 ? (
            <NotGiven key="address" />
          ) : (
            <span key="address" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {of.billing_address.join('\n')}
            </span>
          ),
        ],
        ['Country', of.billing_country ? countryName(of.billing_country) : <NotGiven key="country" />],
        ['VAT id', of.vat_id || <NotGiven key="vat" />],
        ['Invoices are mailed to', of.billing_email || 'The address of the account'],
        ['Due after', showsTerms && `${of.net_days} days`],
      ]}
    />
  );
}

const NotGiven = () => (
  <Text span size="sm" c="dimmed">
    Not given
  </Text>
);
