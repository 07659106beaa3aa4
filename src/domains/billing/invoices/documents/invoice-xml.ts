import { type Cents, formatCents, toCents, ZERO } from '../../../../platform/amounts/cents.ts';
import type { Buyer, InvoiceDocument, InvoiceLine, Seller } from '../document.ts';
import { netLines } from '../tax.ts';

/*
 * An invoice or credit note as UBL 2.1 that conforms to EN 16931, the European standard for electronic invoices. UBL prescribes the order of
 * elements; BT- and BR- numbers in comments are those of the standard's fields and rules.
 */
const NAMESPACES = {
  'xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  'xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
};
const STANDARD = 'urn:cen.eu:en16931:2017';
/** UNTDID 1001 */
const kinds = {
  invoice: { name: 'Invoice', typeElement: 'cbc:InvoiceTypeCode', type: '380', quantity: 'cbc:InvoicedQuantity' },
  credit_note: {
    name: 'CreditNote',
    typeElement: 'cbc:CreditNoteTypeCode',
    type: '381',
    quantity: 'cbc:CreditedQuantity',
  },
} as const;
/** UN/ECE Recommendation 20: one */
const PIECE = 'C62';
/** Why there is no tax: code and text. */
const exemptions = {
  S: undefined,
  AE: ['VATEX-EU-AE', 'Reverse charge'],
  O: ['VATEX-EU-O', 'Not subject to VAT'],
} as const;

export function invoiceXml(document: InvoiceDocument): Uint8Array {
  const { number, kind, month, issuedAt, dueAt, currency, credits, reason, text, lines, mode } = document;
  const { name, typeElement, type } = kinds[kind];
  const isInvoice = kind === 'invoice';
  const xml = root(
    name,
    { xmlns: `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`, ...NAMESPACES },
    leaf('cbc:CustomizationID', STANDARD),
    leaf('cbc:ID', number),
    leaf('cbc:IssueDate', dayOf(issuedAt)),
    isInvoice && dueAt ? leaf('cbc:DueDate', dayOf(dueAt)) : undefined,
    leaf(typeElement, type),
    mode === 'sandbox' ? leaf('cbc:Note', 'Sandbox: a test document, no claim to payment') : undefined,
    leaf('cbc:Note', reason),
    leaf('cbc:Note', text),
    leaf('cbc:DocumentCurrencyCode', currency),
    node('cac:InvoicePeriod', ...periodOf(month)),
    credits === null
      ? undefined
      : node('cac:BillingReference', node('cac:InvoiceDocumentReference', leaf('cbc:ID', credits))),
    node('cac:AccountingSupplierParty', sellerParty(document)),
    node('cac:AccountingCustomerParty', buyerParty(document)),
    node('cac:PaymentTerms', leaf('cbc:Note', paymentTerms(document))),
    taxTotal(document),
    totals(document),
    ...netLines(document).map((net, i) => lineXml(document, lines[i] as InvoiceLine, net, i + 1)),
  );
  return new TextEncoder().encode(xml);
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

function periodOf(month: string): Xml[] {
  const [year = 0, ofYear = 0] = month.split('-').map(Number);
  const last = new Date(Date.UTC(year, ofYear, 0));
  return [leaf('cbc:StartDate', `${month}-01`), leaf('cbc:EndDate', dayOf(last))];
}

/** BR-CO-25: what is due needs a date or terms. */
function paymentTerms({ kind, isPrepaid, dueAt }: InvoiceDocument): string {
  if (isPrepaid) return kind === 'invoice' ? 'Paid from balance' : 'Refunded to balance';
  if (kind === 'credit_note') return 'Deducted from what is due';
  return dueAt ? `Due by ${dayOf(dueAt)}` : 'Due on receipt';
}

/** What lies outside the scope of VAT carries no VAT id at all, BR-O-02 to BR-O-04; the seller is then known by its company number. */
const vatScheme = (vatId: string, { taxCategory }: InvoiceDocument): Xml =>
  taxCategory === 'O' || vatId === ''
    ? undefined
    : node('cac:PartyTaxScheme', leaf('cbc:CompanyID', vatId), node('cac:TaxScheme', leaf('cbc:ID', 'VAT')));

function sellerParty(document: InvoiceDocument): Xml {
  const { seller } = document;
  return node(
    'cac:Party',
    postalAddress(seller),
    vatScheme(compact(seller.vatId), document),
    node('cac:PartyLegalEntity', leaf('cbc:RegistrationName', seller.name), leaf('cbc:CompanyID', seller.id)),
  );
}

/** A buyer who has given no country is taxed as at home, so this is where the document has them: BR-11 wants one. */
function buyerParty(document: InvoiceDocument): Xml {
  const { buyer, seller } = document;
  const country = buyer.country || seller.country;
  return node(
    'cac:Party',
    postalAddress({ ...buyer, country }),
    vatScheme(vatIdOf(buyer), document),
    node('cac:PartyLegalEntity', leaf('cbc:RegistrationName', buyer.name)),
    node('cac:Contact', leaf('cbc:ElectronicMail', buyer.email)),
  );
}

const compact = (vatId: string): string => vatId.replace(/[\s.-]/g, '').toUpperCase();

/** BR-CO-09: it starts with its country. What a buyer typed in another form is left out. */
function vatIdOf({ vatId, country }: Buyer): string {
  const id = compact(vatId);
  const prefix = country === 'GR' ? 'EL' : country;
  return prefix !== '' && id.startsWith(prefix) ? id : '';
}

/** The standard has room for three lines. */
function postalAddress({ address, country }: Pick<Seller, 'address' | 'country'>): Xml {
  const [first = '', second = '', ...others] = address;
  return node(
    'cac:PostalAddress',
    leaf('cbc:StreetName', first),
    leaf('cbc:AdditionalStreetName', second),
    node('cac:AddressLine', leaf('cbc:Line', others.join(', '))),
    node('cac:Country', leaf('cbc:IdentificationCode', country)),
  );
}

const money = (name: string, amount: Cents, { currency }: InvoiceDocument): Xml =>
  leaf(name, formatCents(amount), { currencyID: currency });

function category(name: string, { taxCategory, taxRate }: InvoiceDocument, isExplained = false): Xml {
  const [code = '', why = ''] = (isExplained && exemptions[taxCategory]) || [];
  return node(
    name,
    leaf('cbc:ID', taxCategory),
    // BR-O-05: not even a rate of zero.
    taxCategory === 'O' ? undefined : leaf('cbc:Percent', taxRate),
    leaf('cbc:TaxExemptionReasonCode', code),
    leaf('cbc:TaxExemptionReason', why),
    node('cac:TaxScheme', leaf('cbc:ID', 'VAT')),
  );
}

function taxTotal(document: InvoiceDocument): Xml {
  const { net, tax } = document;
  return node(
    'cac:TaxTotal',
    money('cbc:TaxAmount', tax, document),
    node(
      'cac:TaxSubtotal',
      money('cbc:TaxableAmount', net, document),
      money('cbc:TaxAmount', tax, document),
      category('cac:TaxCategory', document, true),
    ),
  );
}

function totals(document: InvoiceDocument): Xml {
  const { net, total, isPrepaid } = document;
  return node(
    'cac:LegalMonetaryTotal',
    money('cbc:LineExtensionAmount', net, document),
    money('cbc:TaxExclusiveAmount', net, document),
    money('cbc:TaxInclusiveAmount', total, document),
    isPrepaid ? money('cbc:PrepaidAmount', total, document) : undefined,
    money('cbc:PayableAmount', isPrepaid ? ZERO : total, document),
  );
}

function lineXml(document: InvoiceDocument, line: InvoiceLine, net: Cents, number: number): Xml {
  const { name, quantity: element } = kinds[document.kind];
  const count = Math.abs(line.quantity);
  // BR-27: a price is never negative, so a refund is a negative quantity at the price that was paid.
  const quantity = line.amount < 0n ? -count : count;
  return node(
    `cac:${name}Line`,
    leaf('cbc:ID', String(number)),
    leaf(element, String(quantity), { unitCode: PIECE }),
    money('cbc:LineExtensionAmount', net, document),
    node('cac:Item', leaf('cbc:Name', line.description), category('cac:ClassifiedTaxCategory', document)),
    node('cac:Price', ...netPrice(document, toCents(net < 0n ? -net : net), count)),
  );
}

/** Quantity × price is the line's net amount exactly: where one piece is no whole number of cents, the price is that of all pieces. */
function netPrice(document: InvoiceDocument, net: Cents, count: number): Xml[] {
  const pieces = BigInt(count);
  if (net % pieces === 0n) return [money('cbc:PriceAmount', toCents(net / pieces), document)];
  return [money('cbc:PriceAmount', net, document), leaf('cbc:BaseQuantity', String(count), { unitCode: PIECE })];
}

/** An element with its content, or undefined where it is left out. */
type Xml = string | undefined;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** What XML cannot hold, not even escaped: control characters, halves of a surrogate pair and noncharacters. */
const FORBIDDEN = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]+/gu;

const escaped = (text: string): string =>
  text
    .replace(FORBIDDEN, ' ')
    .trim()
    .replace(/[&<>"]/g, (character) => entities[character] ?? '');

function open(name: string, attributes: Readonly<Record<string, string>>): string {
  return [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escaped(value)}"`)].join(' ');
}

/** `<name>text</name>`; nothing where there is no text, because EN 16931 refuses empty elements. */
function leaf(name: string, text: string, attributes: Readonly<Record<string, string>> = {}): Xml {
  const content = escaped(text);
  return content === '' ? undefined : `<${open(name, attributes)}>${content}</${name}>`;
}

/** An element that holds others; nothing when it would be empty. */
function node(name: string, ...children: readonly Xml[]): Xml {
  const content = children.filter((child) => child !== undefined);
  return content.length === 0 ? undefined : `<${name}>\n${content.join('\n')}\n</${name}>`;
}

function root(name: string, attributes: Readonly<Record<string, string>>, ...children: readonly Xml[]): string {
  const content = children.filter((child) => child !== undefined);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${open(name, attributes)}>\n${content.join('\n')}\n</${name}>\n`;
}
