import { toCents } from '../amounts/cents.ts';
import { ConfigError, type Settings, unquoted } from './environment.ts';

/** Who issues invoices. What is not set is empty. */
export type SellerSettings = NonNullable<ReturnType<typeof readSeller>>;
export type InvoiceSettings = ReturnType<typeof readInvoiceSettings>;

const MAX_LINE = 200;
const MAX_TEXT = 1_000;
const NEEDED = ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_COUNTRY'] as const;
const OPTIONAL = ['SELLER_VAT_ID', 'SELLER_ID', 'SELLER_TAX_RATE'] as const;
const DEFAULT_MIN_OVERDUE = toCents(10_00n);

export function readInvoiceSettings(env: NodeJS.ProcessEnv, { usd }: Pick<Settings, 'usd'>) {
  const prefix = env.INVOICE_PREFIX || 'INV';
  if (!/^[A-Za-z0-9-]{1,20}$/.test(prefix))
    throw new ConfigError('INVOICE_PREFIX must be 1 to 20 letters, digits or -');
  const text = lineOf('INVOICE_TEXT', env.INVOICE_TEXT, MAX_TEXT);
  const days = env.OVERDUE_SUSPEND_DAYS ? Number(env.OVERDUE_SUSPEND_DAYS) : undefined;
  if (days !== undefined && !(Number.isInteger(days) && days >= 1 && days <= 365))
    throw new ConfigError('OVERDUE_SUSPEND_DAYS must be a number of days from 1 to 365');
  return {
    /** Undefined: no invoice is issued. */
    seller: readSeller(env),
    prefix,
    /** At the end of every document. */
    text,
    /** Purchases are refused so many days after an invoice was due; undefined: never. */
    suspendDays: days,
    /** Only if more than this is overdue. */
    minOverdue: usd('OVERDUE_MIN_USD') ?? DEFAULT_MIN_OVERDUE,
  };
}

function readSeller(env: NodeJS.ProcessEnv) {
  if (![...NEEDED, ...OPTIONAL].some((name) => env[name])) return undefined;
  const missing = NEEDED.filter((name) => !env[name]);
  if (missing.length > 0)
    throw new ConfigError(`${NEEDED.join(', ')} must be set together: ${missing.join(', ')} is not`);
  const country = env.SELLER_COUNTRY ?? '';
  if (!/^[A-Z]{2}$/.test(country)) throw new ConfigError('SELLER_COUNTRY must be two capital letters, such as DE');
  const rate = env.SELLER_TAX_RATE || undefined;
  // EN 16931 has no standard rate of zero.
  if (rate !== undefined && !(/^\d{1,2}(\.\d{1,2})?$/.test(rate) && Number(rate) > 0))
    throw new ConfigError('SELLER_TAX_RATE must be a percentage above 0, like 19 or 5.5');
  const name = lineOf('SELLER_NAME', env.SELLER_NAME, MAX_LINE);
  const address: readonly string[] = lineOf('SELLER_ADDRESS', env.SELLER_ADDRESS, MAX_TEXT)
    .split('|')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (name === '' || address.length === 0) throw new ConfigError('SELLER_NAME and SELLER_ADDRESS must not be empty');
  return {
    name,
    address,
    country,
    vatId: lineOf('SELLER_VAT_ID', env.SELLER_VAT_ID, 20)
      .replace(/[\s.-]/g, '')
      .toUpperCase(),
    /** A company number. */
    id: lineOf('SELLER_ID', env.SELLER_ID, MAX_LINE),
    /** Percent with two decimals; undefined: not set. */
    taxRate: rate === undefined ? undefined : Number(rate).toFixed(2),
  };
}

function lineOf(setting: string, text = '', most: number): string {
  const trimmed = unquoted(text);
  if (trimmed.length > most || /\p{C}/u.test(trimmed))
    throw new ConfigError(`${setting} must be one line of at most ${most} characters`);
  return trimmed;
}
