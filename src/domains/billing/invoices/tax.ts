import { type Cents, divideHalfUp, toCents, ZERO } from '../../../platform/amounts/cents.ts';
import type { SellerSettings } from '../../../platform/settings/invoices.ts';
import type { Buyer, InvoiceDocument } from './document.ts';

/*
 * Which tax an invoice has. An eSIM is a telecommunication service to a reseller, so between companies the place of supply is the
 * buyer's (Directive 2006/112/EC, article 44), who owes the tax in another member state (article 196); the invoice then needs both VAT
 * ids and the words "Reverse charge" (article 226, points 3, 4 and 11a). A VAT id is what shows that the buyer is a company (Implementing
 * Regulation 282/2011, article 18(1)); without one of the right form, the seller's own rate is charged.
 *
 *   buyer                                              category
 *   no country given                                   S   as at home
 *   in the seller's country                            S
 *   both in the EU, no VAT id of the right form        S
 *   both in the EU, VAT id of the right form           AE  reverse charge, 0 %
 *   outside the EU, or the seller is and they differ   O   not subject to VAT
 *
 * What a document of a category must carry is said by EN 16931: S and AE the seller's VAT id (BR-S-02, BR-AE-02), AE the buyer's too,
 * O neither of them (BR-O-02), so its seller is named by a company number (BR-CO-26).
 *
 * Whether a VAT id exists is not asked (VIES answers slowly or not at all): operators are told to check, and to have this table
 * confirmed by their adviser.
 */

type TaxCategory = InvoiceDocument['taxCategory'];

type TaxedSeller = Pick<SellerSettings, 'country' | 'vatId' | 'id' | 'taxRate'>;
type TaxedBuyer = Pick<Buyer, 'country' | 'vatId'>;

export interface Tax {
  readonly category: TaxCategory;
  readonly rate: string;
}

/**
 * The form of VAT ids by country (European Commission, VIES, "What is the format of a VAT number?", question 11 of its FAQ). Greek ones
 * start with EL.
 */
const vatForms: Readonly<Record<string, RegExp>> = {
  AT: /^ATU\d{8}$/,
  BE: /^BE[01]\d{9}$/,
  BG: /^BG\d{9,10}$/,
  CY: /^CY\d{8}[A-Z]$/,
  CZ: /^CZ\d{8,10}$/,
  DE: /^DE\d{9}$/,
  DK: /^DK\d{8}$/,
  EE: /^EE\d{9}$/,
  ES: /^ES([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^FI\d{8}$/,
  FR: /^FR[A-HJ-NP-Z\d]{2}\d{9}$/,
  GR: /^EL\d{9}$/,
  HR: /^HR\d{11}$/,
  HU: /^HU\d{8}$/,
  IE: /^IE(\d{7}[A-W][A-I]?|\d[A-Z\d+*]\d{5}[A-W])$/,
  IT: /^IT\d{11}$/,
  LT: /^LT(\d{9}|\d{12})$/,
  LU: /^LU\d{8}$/,
  LV: /^LV\d{11}$/,
  MT: /^MT\d{8}$/,
  NL: /^NL[A-Z\d+*]{10}\d{2}$/,
  PL: /^PL\d{10}$/,
  PT: /^PT\d{9}$/,
  RO: /^RO\d{2,10}$/,
  SE: /^SE\d{12}$/,
  SI: /^SI\d{8}$/,
  SK: /^SK\d{10}$/,
};

const isInEu = (country: string): boolean => Object.hasOwn(vatForms, country);

/** As it is compared and printed: without blanks, dots and hyphens, in capitals. */
export const plainVatId = (vatId: string): string => vatId.replace(/[\s.-]/g, '').toUpperCase();

/** Whether a VAT id has the form of those of this country of the EU. */
export const isVatIdOf = (country: string, vatId: string): boolean =>
  isInEu(country) && (vatForms[country]?.test(plainVatId(vatId)) ?? false);

function categoryOf(seller: TaxedSeller, { country, vatId }: TaxedBuyer): TaxCategory {
  if (country === '' || country === seller.country) return 'S';
  if (!isInEu(seller.country) || !isInEu(country)) return 'O';
  return isVatIdOf(country, vatId) ? 'AE' : 'S';
}

/** `missing`: settings that a document of this category needs. */
export function taxOf(seller: TaxedSeller, buyer: TaxedBuyer): Tax | { readonly missing: readonly string[] } {
  const category = categoryOf(seller, buyer);
  const missing = [
    ...(category !== 'O' && seller.vatId === '' ? ['SELLER_VAT_ID'] : []),
    ...(category === 'S' && seller.taxRate === undefined ? ['SELLER_TAX_RATE'] : []),
    ...(category === 'O' && seller.id === '' ? ['SELLER_ID'] : []),
  ];
  if (missing.length > 0) return { missing };
  return { category, rate: category === 'S' ? (seller.taxRate as string) : '0.00' };
}

const kinds = ['no_country', 'same_country', 'eu_without_vat_id', 'eu_with_vat_id', 'abroad'] as const;
type BuyerKind = (typeof kinds)[number];

/** How the invoices of each kind of buyer are taxed, by the rules above, and which settings they wait for. */
export function taxTable(seller: TaxedSeller | undefined) {
  if (!seller) return [];
  const inEu = seller.country === 'FR' ? 'DE' : 'FR';
  const vatId = inEu === 'FR' ? 'FR12345678901' : 'DE123456789';
  const like: Readonly<Record<BuyerKind, TaxedBuyer>> = {
    no_country: { country: '', vatId: '' },
    same_country: { country: seller.country, vatId: '' },
    eu_without_vat_id: { country: inEu, vatId: '' },
    eu_with_vat_id: { country: inEu, vatId },
    abroad: { country: seller.country === 'US' ? 'CH' : 'US', vatId: '' },
  };
  // To a seller outside the EU, all of it is abroad.
  return kinds
    .filter((kind) => isInEu(seller.country) || !kind.startsWith('eu_'))
    .map((kind) => {
      const tax = taxOf(seller, like[kind]);
      const missing = 'missing' in tax ? tax.missing : [];
      return {
        buyer: kind,
        category: categoryOf(seller, like[kind]),
        rate: 'missing' in tax ? null : tax.rate,
        missing,
      };
    });
}

/** Prices contain their tax. It is rounded half up, once for the whole document. */
export function splitTax(total: Cents, rate: string): { readonly net: Cents; readonly tax: Cents } {
  const hundredths = BigInt(Math.round(Number(rate) * 100));
  const tax = toCents(divideHalfUp(total * hundredths, 10_000n + hundredths));
  return { net: toCents(total - tax), tax };
}

/**
 * The net amount of each line, for the XML: prices contain the tax, but EN 16931 wants lines without it whose sum is the document's net
 * amount to the cent. Each line gets its net amount rounded down, and the cents that are then missing go to the lines that lost most by
 * it, so none is off by a whole cent. Which lines these are depends on nothing but the document.
 */
export function netLines({ lines, taxRate, net, tax, total, number }: InvoiceDocument): Cents[] {
  const gross = lines.reduce((sum, { amount }) => sum + amount, 0n);
  if (gross !== total || net + tax !== total) throw new Error(`the sums of ${number} do not agree`);
  const [share, whole] = netShare(taxRate);
  const shares = lines.map(({ amount }, i) => ({ i, ...divideDown(amount * share, whole) }));
  let missing = net - shares.reduce((sum, { quotient }) => sum + quotient, 0n);
  if (missing < 0n || missing > BigInt(lines.length)) throw new Error(`the tax of ${number} does not fit its rate`);
  const amounts = shares.map(({ quotient }) => toCents(quotient));
  // Sorting is stable: of lines that lost the same, the first comes first.
  for (const { i } of shares.toSorted((a, b) => Number(b.rest > a.rest) - Number(b.rest < a.rest))) {
    if (missing === 0n) break;
    amounts[i] = toCents((amounts[i] ?? ZERO) + 1n);
    missing -= 1n;
  }
  return amounts;
}

/** Of 119 that contain 19 % tax, 100 are net. */
function netShare(taxRate: string): readonly [share: bigint, whole: bigint] {
  const [whole = '', fraction = ''] = taxRate.split('.');
  const hundred = 100n * 10n ** BigInt(fraction.length);
  return [hundred, hundred + BigInt(whole + fraction)];
}

function divideDown(dividend: bigint, divisor: bigint): { quotient: bigint; rest: bigint } {
  const rest = ((dividend % divisor) + divisor) % divisor;
  return { quotient: (dividend - rest) / divisor, rest };
}
