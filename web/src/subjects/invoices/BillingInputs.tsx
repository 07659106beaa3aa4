import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { BillingTexts } from './billing.ts';
import { countries } from './countries.ts';

const noCountry = [{ value: '', label: 'Not given' }];

/** The fields of a form for billing details. */
export function BillingInputs({ of }: { of: BillingTexts }) {
  return (
    <>
      <TextInput
        name="legal_name"
        label="Legal name"
        defaultValue={of.legal_name}
        maxLength={200}
        autoComplete="organization"
      />
      <Textarea
        name="billing_address"
        label="Address"
        description="Street, postal code and city, each on a line of its own. The country is below."
        defaultValue={of.billing_address}
        minRows={3}
        autosize
        autoComplete="street-address"
      />
      <NativeSelect
        name="billing_country"
        label="Country"
        description="Decides about the tax, together with the VAT id."
        data={[...noCountry, ...countries]}
        defaultValue={of.billing_country}
        autoComplete="country"
      />
      <TextInput
        name="vat_id"
        label="VAT id"
        description="Of companies in the EU, with the letters of the country: DE123456789. Only its form is checked, not whether it exists."
        defaultValue={of.vat_id}
        maxLength={30}
        autoComplete="off"
      />
      <TextInput
        name="billing_email"
        type="email"
        label="Email for invoices"
        description="Leave it empty to have them sent to the address of the account."
        defaultValue={of.billing_email}
        maxLength={254}
        autoComplete="email"
      />
    </>
  );
}
