import type * as typebox from 'typebox';

export type { Static, TObject, TSchema } from 'typebox';

/*
 * JSON schemas with their TypeScript types. The types are typebox's. The functions are ours: all we need of it are the few that put an
 * object together, and loading typebox for them means reading 400 files, which took a fifth of a second of every start and 20 MB.
 *
 * A schema made here is what typebox would make, hidden marks included, so its checks (`typebox/schema`, loaded when something is
 * checked) accept it; test/platform/contract/schema.test.ts compares the two.
 */
type Builders = Pick<
  typeof typebox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Never'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'
>;

type Part = Readonly<Record<string, unknown>>;

/** Marks are hidden: they show neither in a printed schema nor when two are compared. */
const marked = (schema: object, mark: string, value: unknown): object =>
  Object.defineProperty(schema, mark, { configurable: true, writable: true, enumerable: false, value });

const made = (kind: string, parts: Part, options?: object): object => marked({ ...parts, ...options }, '~kind', kind);

const plain =
  (kind: string, parts: Part) =>
  (options?: object): object =>
    made(kind, parts, options);

const ANY_KEY = '^.*$';

const builders = {
  Array: (items: object, options?: object) => made('Array', { type: 'array', items }, options),
  Boolean: plain('Boolean', { type: 'boolean' }),
  Enum: (values: readonly unknown[], options?: object) => made('Enum', { enum: values }, options),
  Integer: plain('Integer', { type: 'integer' }),
  Literal: (value: unknown, options?: object) => made('Literal', { type: typeof value, const: value }, options),
  Never: plain('Never', { not: {} }),
  Null: plain('Null', { type: 'null' }),
  Number: plain('Number', { type: 'number' }),
  Object(properties: Readonly<Record<string, object>>, options?: object) {
    const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] ?? {}, '~optional'));
    return made('Object', { type: 'object', ...(required.length > 0 && { required }), properties }, options);
  },
  /** The schema itself stays as it is: it may be required elsewhere. */
  Optional: (schema: object) =>
    marked(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), '~optional', true),
  Record: (key: { readonly pattern?: string }, value: object, options?: object) =>
    made('Record', { type: 'object', patternProperties: { [key.pattern ?? ANY_KEY]: value } }, options),
  String: plain('String', { type: 'string' }),
  Union: (anyOf: readonly object[], options?: object) => made('Union', { anyOf }, options),
  Unknown: plain('Unknown', {}),
};

export const Type = builders as unknown as Builders;
