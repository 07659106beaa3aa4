import { MICROS_PER_CENT, type Micros, parseMicros } from '../../../platform/amounts/cents.ts';
import { parseTimestamp } from '../../../platform/clock.ts';
import { HIGHEST_PRICE } from '../../catalog/import-format/import-format.ts';
import { hasIccidForm, isActivationCode, isConfirmationCode, isMatchingId, isSmdpAddress } from '../port/port.ts';
import type { Field, RawItem, StockProblem } from './stock-file.ts';

/** Activation data of one item as it is sealed. */
export interface SealedEsim {
  readonly activationCode: string;
  readonly confirmationCode: string | null;
  readonly msisdn: string | null;
  readonly apn: string | null;
}

export interface NewItem {
  readonly line: number;
  readonly iccid: string;
  readonly esim: SealedEsim;
  readonly cost: Micros | null;
  readonly expiresAt: Date | null;
  readonly label: string;
}

export interface StockTerms {
  /** For items without a cost of their own. */
  readonly cost: Micros | null;
  /** For items without an expiry of their own. */
  readonly expiresAt: Date | null;
}

const LONGEST = 200;
/** After the host: the matching id, and whether a confirmation code is asked for. */
const ACTIVATION = /^(?:LPA:)?1\$([^$\s]+)\$([^$\s]*)((?:\$[^$\s]*){0,3})$/i;

/** `2030-05-31` is the whole of that day in UTC. */
export function readExpiry(text: string): Date | undefined {
  return parseTimestamp(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 23:59:59` : text);
}

/** Every item, and everything wrong with them. */
export function checkItems(
  raw: readonly RawItem[],
  terms: StockTerms,
  now: number,
): { readonly items: readonly NewItem[]; readonly problems: readonly StockProblem[] } {
  const problems: StockProblem[] = [];
  const lineOf = { iccid: new Map<string, number>(), activation_code: new Map<string, number>() };
  const items = raw.flatMap((one): NewItem[] => {
    const before = problems.length;
    const complain = (column: Field, reason: string) => {
      problems.push({ line: one.line, column, reason });
    };
    const item = checked(one, terms, now, complain);
    for (const [column, value] of [
      ['iccid', item.iccid],
      ['activation_code', item.esim.activationCode],
    ] as const) {
      if (value === '') continue;
      const earlier = lineOf[column].get(value);
      if (earlier === undefined) lineOf[column].set(value, one.line);
      else complain(column, `is on line ${earlier}, too`);
    }
    return problems.length > before ? [] : [item];
  });
  return { items, problems };
}

type Complain = (column: Field, reason: string) => void;

function checked({ line, fields }: RawItem, terms: StockTerms, now: number, complain: Complain): NewItem {
  /** '' if it is missing. Only a cost may be a number: other digits would lose their first or last ones. */
  function text(column: Field): string {
    const value = fields[column] ?? '';
    if (typeof value === 'number' && column === 'cost') return String(value);
    if (typeof value !== 'string') complain(column, 'must be text');
    else if (value.length > LONGEST) complain(column, `has more than ${LONGEST} characters`);
    else if (/\p{Cc}/u.test(value)) complain(column, 'has characters that cannot be printed');
    else return value.trim();
    return '';
  }
  const orNull = (column: Field): string | null => text(column) || null;

  const iccid = text('iccid');
  if (!hasIccidForm(iccid) && isText(fields.iccid))
    complain('iccid', iccid === '' ? 'is missing' : 'must have 18 to 22 digits and nothing else');
  const expiresAt = expiryOf(text('expires_at'), terms, complain);
  if (expiresAt !== null && expiresAt.getTime() <= now) complain('expires_at', 'has passed');
  return {
    line,
    iccid,
    esim: {
      activationCode: activationCode(text, complain),
      confirmationCode: confirmationCode(orNull('confirmation_code'), complain),
      msisdn: orNull('msisdn'),
      apn: orNull('apn'),
    },
    cost: costOf(text('cost'), terms, complain),
    expiresAt,
    label: text('label'),
  };
}

function confirmationCode(given: string | null, complain: Complain): string | null {
  if (given !== null && !isConfirmationCode(given))
    complain('confirmation_code', 'has characters or a length that no confirmation code has');
  return given;
}

/** Values that are not text are already reported. */
const isText = (value: unknown): boolean => value === undefined || value === null || typeof value === 'string';

function expiryOf(given: string, { expiresAt }: StockTerms, complain: Complain): Date | null {
  if (given === '') return expiresAt;
  const read = readExpiry(given);
  if (!read) complain('expires_at', 'must be a date like 2030-05-31 or a time like 2030-05-31T12:00:00Z');
  return read ?? null;
}

function costOf(given: string, { cost }: StockTerms, complain: Complain): Micros | null {
  if (given === '') return cost;
  const read = parseMicros(given);
  if (read !== undefined && read >= 0n && read <= HIGHEST_PRICE * MICROS_PER_CENT) return read;
  complain('cost', 'must be an amount up to 100000.00 with at most six places');
  return null;
}

/** `LPA:1$host$matching id`, from the code itself or from its parts; '' if it cannot be had. */
function activationCode(text: (column: Field) => string, complain: Complain): string {
  const [code, host, matchingId] = [text('activation_code'), text('smdp_address'), text('matching_id')];
  if (code === '') {
    if (host === '' && matchingId === '')
      complain('activation_code', 'is missing: give it, or smdp_address and matching_id');
    else if (!isSmdpAddress(host)) complain('smdp_address', host === '' ? 'is missing' : 'must be the name of a host');
    else if (!isMatchingId(matchingId))
      complain('matching_id', matchingId === '' ? 'is missing' : 'must not have spaces, quotes, markup or $');
    else return `LPA:1$${host}$${matchingId}`;
    return '';
  }
  const [, ownHost = '', ownId = '', rest = ''] = ACTIVATION.exec(code) ?? [];
  if (!isSmdpAddress(ownHost)) complain('activation_code', 'must be LPA:1$ with the host, $ and the matching id');
  else if (host !== '' && host !== ownHost) complain('smdp_address', 'is not the host in activation_code');
  else if (matchingId !== '' && matchingId !== ownId) complain('matching_id', 'is not the one in activation_code');
  else if (isActivationCode(`LPA:1$${ownHost}$${ownId}${rest}`)) return `LPA:1$${ownHost}$${ownId}${rest}`;
  else complain('activation_code', 'has characters or a length that no activation code has');
  return '';
}
