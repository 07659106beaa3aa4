import type { TSchema } from 'typebox';
import { actions } from '../../src/actions/actions.ts';
import type { Kind } from './known.ts';
import { type Care, type Drawing, text } from './values.ts';

export const latin = (unicode: string): string => Buffer.from(unicode, 'utf8').toString('latin1');
const DEEP = 4_000;
export const BROKEN_JSON = [
  '',
  '{',
  'null',
  '[]',
  '1',
  '"',
  '{"a":1,}',
  `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  `${'{"input":'.repeat(2_000)}{}${'}'.repeat(2_000)}`,
  '{"a":"\\ud800"}',
  '\ufeff{}',
  '{"__proto__":{}}',
  '{"input":{"__proto__":"1"}}',
  `{"a":"${'x'.repeat(20_000)}"}`,
];

export const FILTERS = [
  'q',
  'mode',
  'status',
  'partner',
  'product',
  'from',
  'to',
  'before',
  'limit',
  'month',
  'iccid',
  'reference',
  'order',
  'supplier',
  'who',
  'what',
  'target',
  'event',
  'endpoint',
  'error',
  'key',
  'zone',
  'cap',
  'destination',
  'request_id',
  'receiver',
  'kind',
  'state',
  'sort',
  'days',
  'since',
  'page',
  'country',
  'search',
  'batch',
];

const WORDS: Readonly<Record<string, readonly string[]>> = {
  mode: ['live', 'sandbox'],
  status: ['delivered', 'failed', 'open', 'dead', 'requested', 'active'],
  role: ['owner', 'developer', 'support', 'admin'],
  supplier: ['aurora', 'borealis', 'airalo'],
  limit: ['10', '50'],
  q: ['89', 'esc_', '1', 'fuzz', 'member'],
  zone: ['UTC', 'Europe/Berlin'],
  email: ['a@example.com'],
  scope: ['country', 'global', 'partner', 'product'],
  target: ['JP', '1'],
  billing: ['prepaid', 'postpaid'],
  behaviour: ['deliver', 'refuse', 'silent'],
  language: ['en', 'de'],
  list: ['orders'],
  currency: ['USD', 'EUR'],
  by: ['1s', '3h'],
  'on-sale': ['auto', 'true', 'false'],
  version: ['1', '2'],
  month: ['2026-11'],
  'dry-run': ['true'],
};

/** A text for a field or an option, by its name. */
export function wordFor(drawing: Drawing, care: Care, name: string): string {
  const { dice } = drawing;
  const words = WORDS[name];
  if (words && (care === 'valid' || dice.chance(40))) return dice.of(words);
  const type = /amount|share|pct|price|level|credit|limit|markup|id$|days/.test(name) ? 'integer' : 'string';
  return text(drawing, care, name, { type });
}

/** As the schema says, or with the wrong type here and there. */
export function bodyOf(
  drawing: Drawing,
  care: Care,
  { path, body }: { readonly path: string; readonly body?: TSchema | undefined },
): unknown {
  if (path.startsWith('/operator/api/run/')) return { input: inputOf(drawing, care, path) };
  return like(drawing, care, body as unknown as Described, '');
}

const byWords = new Map(actions.map((one) => [one.name.replaceAll(' ', '/'), one]));

function inputOf(drawing: Drawing, care: Care, path: string): object {
  const { dice, known } = drawing;
  const command = byWords.get(path.slice('/operator/api/run/'.length));
  const word = command?.name.split(' ')[0] ?? '';
  const all = Object.entries({ ...command?.args, ...command?.options });
  const sent = all.filter(([, { required }]) => dice.chance(required ? 95 : 35));
  return Object.fromEntries(
    sent.map(([name, { isSwitch }]) => {
      if (isSwitch) return [name, dice.chance(90) ? true : 'yes'];
      const own = care === 'near' && dice.chance(60) ? 'valid' : care;
      if (name === 'id' && own === 'valid') return [name, known.one(dice, OF_COMMAND[word] ?? 'id') ?? '1'];
      return [name, wordFor(drawing, own, name).slice(0, dice.chance(95) ? 1_000 : 1_100)];
    }),
  );
}

const OF_COMMAND: Readonly<Record<string, Kind>> = {
  order: 'order',
  refund: 'order',
  webhook: 'subscription',
  key: 'key',
  partner: 'partner',
  member: 'member',
};

interface Described {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly required?: readonly string[];
  readonly items?: Described;
  readonly anyOf?: readonly Described[];
  readonly patternProperties?: Readonly<Record<string, Described>>;
}

const WRONG: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  '',
  [],
  {},
  [[[]]],
  { a: { b: {} } },
  '\ud800',
  'x'.repeat(1_001),
];

function like(drawing: Drawing, care: Care, schema: Described, name: string): unknown {
  const { dice } = drawing;
  if (care !== 'valid' && dice.chance(care === 'near' ? 8 : 25)) return dice.of(WRONG);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return dice.of(schema.enum);
  if (schema.anyOf) return like(drawing, care, dice.of(schema.anyOf), name);
  switch (schema.type) {
    case 'object': {
      const own = Object.entries(schema.properties ?? {}).filter(
        ([key]) => schema.required?.includes(key) || dice.chance(50),
      );
      const made = Object.fromEntries(own.map(([key, inner]) => [key, like(drawing, care, inner, key)]));
      const [free] = Object.values(schema.patternProperties ?? {});
      return free ? { ...made, [dice.of(FILTERS)]: like(drawing, care, free, 'x') } : made;
    }
    case 'array':
      return Array.from({ length: dice.below(4) }, () => like(drawing, care, schema.items ?? {}, name));
    case 'integer':
    case 'number':
      return care === 'hostile' ? dice.of([-1, 0, 2 ** 31, 2 ** 53, 1e300, 0.1]) : dice.below(20);
    case 'boolean':
      return dice.chance(50);
    default:
      return wordFor(drawing, care, name);
  }
}
