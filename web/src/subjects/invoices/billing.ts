import type { BillingView } from '../../../../src/entry/panel/money/invoices.ts';

export type Billing = BillingView['billing'];
type MissingDetail = BillingView['missing'][number];

/** The fields of the form, as it holds them: the address with its lines one below the other. */
const billingFields = ['legal_name', 'billing_address', 'billing_country', 'vat_id', 'billing_email'] as const;
export type BillingTexts = Readonly<Record<(typeof billingFields)[number], string>>;

export const textsOf = (billing: Billing): BillingTexts => ({
  ...billing,
  billing_address: billing.billing_address.join('\n'),
});

export const typedTexts = (form: FormData): BillingTexts =>
  Object.fromEntries(billingFields.map((name) => [name, String(form.get(name) ?? '').trim()])) as BillingTexts;

const missingName: Readonly<Record<MissingDetail, string>> = {
  legal_name: 'legal name',
  billing_address: 'address',
  billing_country: 'country',
};

/** “legal name, address and country” */
export const missingWords = (missing: readonly MissingDetail[]): string =>
  new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(missing.map((one) => missingName[one]));
