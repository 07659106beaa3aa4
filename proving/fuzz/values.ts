import type { Dice } from '../chaos/dice.ts';
import type { Schema } from './described.ts';
import type { Kind, Known } from './known.ts';

/** How much of a request is as it should be. */
export type Care = 'valid' | 'near' | 'hostile';

export interface Drawing {
  readonly dice: Dice;
  readonly known: Known;
  /** Where webhooks may be sent. */
  readonly receivers: readonly string[];
  /** A number that no other request of the run has. */
  readonly number: number;
}

const KIND_OF: Readonly<Record<string, Kind>> = {
  product_id: 'product',
  product: 'product',
  plan: 'product',
  order_id: 'order',
  order: 'order',
  before_id: 'order',
  iccid: 'iccid',
  payment_key: 'payment',
  paymentKey: 'payment',
  subscription_id: 'subscription',
  subscription: 'subscription',
  since: 'version',
  country: 'country',
  destination: 'country',
  reference: 'reference',
  partner: 'partner',
  key_id: 'key',
  request: 'request',
};

const digits = (dice: Dice, length: number) => Array.from({ length }, () => dice.below(10)).join('');
const hex = (dice: Dice, length: number) => Array.from({ length }, () => dice.below(16).toString(16)).join('');
const day = (dice: Dice) => `20${20 + dice.below(10)}-0${1 + dice.below(9)}-1${dice.below(10)}`;

/** Texts that mean something by their field's name; undefined: nothing is known about it. */
function named({ dice, known, receivers, number }: Drawing, name: string): string | undefined {
  const kind = KIND_OF[name];
  const found = kind && known.one(dice, kind);
  if (found !== undefined && dice.chance(92)) return found;
  switch (name) {
    case 'product_id':
      return `esc_${hex(dice, 16)}`;
    case 'iccid':
      return `89${digits(dice, 17)}`;
    case 'idempotency_key':
      return (dice.chance(25) ? known.one(dice, 'idempotency') : undefined) ?? `fuzz-${number}`;
    case 'reference':
      return `ref-${dice.below(50)}`;
    case 'from':
    case 'to':
      return dice.of([day(dice), `${day(dice)} 10:00:00`, `${day(dice)}T10:00:00Z`]);
    case 'url':
      return dice.of([...receivers, ...ADDRESSES]);
    case 'events':
      return dice.of(['order.delivered', 'order.paid,order.failed', 'esim.depleted, order.refunded', 'all', '']);
    case 'items':
      return items({ dice, known, receivers, number });
    case 'since':
      return `${dice.below(9)}-${hex(dice, 8)}-${hex(dice, 8)}-${hex(dice, 16)}`;
    case 'country':
      return dice.of(['JP', 'de', 'europe', 'US']);
    case 'search':
      return dice.of(['iphone', 'pixel', 'a']);
    case 'amount':
      return `${dice.below(200)}.${dice.below(10)}${dice.below(10)}`;
    case 'advance':
      return String(dice.below(200_000));
    case 'reason':
      return 'It was not needed';
    default:
      return undefined;
  }
}

/** Refused or unreachable, and nothing outside this machine. */
const ADDRESSES = [
  'http://127.0.0.1:1/',
  'https://10.0.0.1/x',
  'https://[::1]/',
  'https://169.254.169.254/latest',
  'https://user:pass@127.0.0.1/',
  'https://0x7f000001/',
  'https://127.1/#a',
  'ftp://127.0.0.1/',
  'https://',
  '//127.0.0.1',
];

function items(drawing: Drawing): string {
  const { dice } = drawing;
  const list = Array.from({ length: 1 + dice.below(3) }, () => ({
    product_id: named(drawing, 'product_id'),
    ...(dice.chance(50) && { quantity: 1 + dice.below(3) }),
    ...(dice.chance(30) && { reference: 'group' }),
  }));
  return JSON.stringify(list);
}

/** A text that the field accepts, as far as its schema and its name tell. */
export function valid(drawing: Drawing, name: string, schema: Schema): string {
  const { dice } = drawing;
  if (schema.enum) return String(dice.of(schema.enum));
  const text = named(drawing, name);
  if (text !== undefined) return text;
  const { minimum = 0, maximum = 1_000 } = schema;
  if (schema.type === 'integer') return String(minimum + dice.below(Math.min(maximum, minimum + 300) - minimum + 1));
  if (schema.type === 'number') return `${minimum + dice.below(100)}.${dice.below(10)}`;
  return `text ${dice.below(100)}`;
}

/** A text that is wrong by little, or right in an unusual way. */
export function near(drawing: Drawing, name: string, schema: Schema): string {
  const { dice } = drawing;
  const { minimum, maximum, maxLength = 191 } = schema;
  const good = valid(drawing, name, schema);
  const around = [minimum, maximum].flatMap((end) => (end === undefined ? [] : [end - 1, end, end + 1].map(String)));
  return dice.of([
    ...around,
    '',
    ' ',
    '0',
    '-1',
    '00',
    '1.5',
    ` ${good} `,
    `${good}\n`,
    `\u00a0${good}`,
    good.toUpperCase(),
    good.toLowerCase(),
    good.slice(0, -1),
    `${good}0`,
    `0${good}`,
    `+${good}`,
    `${good},${good}`,
    'x'.repeat(maxLength),
    'x'.repeat(maxLength + 1),
    'é'.repeat(Math.ceil(maxLength / 2)),
    'true',
    'null',
    '2026-02-30',
    '2026-13-01 25:61:61',
    '9999-12-31T23:59:59Z',
    '0000-01-01',
    '1969-12-31T23:59:59.999+14:00',
  ]);
}

const HOSTILE: readonly string[] = [
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '2147483648',
  '-9223372036854775809',
  '99999999999999999999999999999999999999',
  '1e308',
  '1e-400',
  '1e999',
  'NaN',
  'Infinity',
  '-0',
  '0x1F',
  '0b1',
  '1_000',
  '１２３',
  '٣',
  '1,5',
  '\0',
  'a\0b',
  '\u2028\u2029',
  '\ufeff1',
  '\u202e1',
  '\u200b',
  '😀'.repeat(40),
  'Ａ'.repeat(300),
  'a\u0300'.repeat(100),
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  "' or 1=1 --",
  "'; select pg_sleep(5); --",
  '%',
  '_%\\',
  '\\',
  '$1',
  '{}',
  '[]',
  '[[]]',
  '[{"product_id":null}]',
  '[{"product_id":{"a":1},"quantity":"2"}]',
  '[{"product_id":"x","quantity":1e400}]',
  '[{"__proto__":{"product_id":"x"}}]',
  '"text"',
  '1',
  'null',
  `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  `${'{"a":'.repeat(3_000)}1${'}'.repeat(3_000)}`,
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\r\nx-injected: 1',
  'order.delivered,'.repeat(400),
  '2026-01-01T00:00:00+99:99',
  '+275760-09-13T00:00:00.001Z',
  '-271821-04-20',
  'infinity',
  'now',
  'x'.repeat(10_000),
];

/** A hostile text. */
export const hostile = ({ dice }: Drawing): string => dice.of(HOSTILE);

/** The field's text, with this much care. */
export function text(drawing: Drawing, care: Care, name: string, schema: Schema): string {
  if (care === 'valid') return valid(drawing, name, schema);
  if (care === 'near') return near(drawing, name, schema);
  return drawing.dice.chance(80) ? hostile(drawing) : near(drawing, name, schema);
}
