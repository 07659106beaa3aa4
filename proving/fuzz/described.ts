import { readFileSync } from 'node:fs';
import { Compile, type Validator } from 'typebox/schema';

/**
 * What `openapi.json` says, and nothing else: no file of `src/` is read here, so an answer that the server and its declarations
 * agree on is still found if the description does not have it.
 */

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly (string | number)[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
  readonly $ref?: string;
}

export interface Field {
  readonly name: string;
  readonly in: 'query' | 'path' | 'body';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly verb: 'GET' | 'POST';
  /** Below the base path, with `{name}` for its parameter. */
  readonly path: string;
  readonly fields: readonly Field[];
  /** What may be asked for with `sandbox_error`. */
  readonly simulated: readonly string[];
  /** By status: its headers, and the schema of its body, closed: a field that is not named is not allowed. */
  readonly answers: ReadonlyMap<number, Described>;
}

export interface Described {
  readonly headers: readonly string[];
  /** Of a success. */
  readonly body: Validator | undefined;
  /** Of failures, by code. */
  readonly failures: ReadonlyMap<string, Validator>;
}

interface Media {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Response extends Media {
  readonly $ref?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
}
interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}
interface Declared {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Media;
  readonly responses: Readonly<Record<string, Response>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<'get' | 'post', Declared>>>>;
}

const document: Document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

function resolved<T extends { readonly $ref?: string }>(one: T): T {
  if (one.$ref === undefined) return one;
  let found: unknown = document;
  for (const name of one.$ref.slice('#/'.length).split('/')) found = (found as Readonly<Record<string, unknown>>)[name];
  return resolved(found as T);
}

/** Without references, parts of an object put together, and no fields beside those it names. */
function closed(given: Schema): Schema {
  const schema = resolved(given);
  const { allOf, ...own } = schema;
  if (allOf) return closed([own, ...allOf].map(resolved).reduce(joined));
  const { properties, additionalProperties = false, items, anyOf, oneOf } = schema;
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, closed(one)])),
      additionalProperties:
        typeof additionalProperties === 'object' ? closed(additionalProperties) : additionalProperties,
    }),
    ...(items && { items: closed(items) }),
    ...(anyOf && { anyOf: anyOf.map(closed) }),
    ...(oneOf && { oneOf: oneOf.map(closed) }),
  };
}

const joined = (a: Schema, b: Schema): Schema => ({
  ...a,
  ...b,
  properties: { ...a.properties, ...b.properties },
  required: [...(a.required ?? []), ...(b.required ?? [])],
});

/** Many operations share a failure; each is compiled once. */
const compiled = new Map<Schema, Validator>();
function validator(given: Schema): Validator {
  const schema = resolved(given);
  const known = compiled.get(schema) ?? Compile(closed(schema) as object);
  compiled.set(schema, known);
  return known;
}

function described(given: Response): Described {
  const { headers = {}, content } = resolved(given);
  const schema = content?.['application/json']?.schema;
  const choices = schema ? (schema.oneOf ?? [schema]).map(resolved) : [];
  const failures = choices.flatMap((one): [string, Validator][] => {
    const code = one.properties?.error?.const;
    return typeof code === 'string' ? [[code, validator(one)]] : [];
  });
  const isSuccess = schema !== undefined && failures.length === 0;
  return {
    headers: Object.keys(headers).map((name) => name.toLowerCase()),
    body: isSuccess ? validator(schema) : undefined,
    failures: new Map(failures),
  };
}

function fieldsOf({ parameters = [], requestBody }: Declared): Field[] {
  const sent = parameters.map(resolved).flatMap((one): Field[] => {
    if (one.in === 'header') return [];
    return [{ name: one.name, in: one.in, required: one.required ?? false, schema: one.schema }];
  });
  const form = requestBody?.content?.['application/x-www-form-urlencoded']?.schema;
  const inBody = Object.entries(form?.properties ?? {}).map(
    ([name, schema]): Field => ({ name, in: 'body', required: form?.required?.includes(name) ?? false, schema }),
  );
  return [...sent, ...inBody];
}

const isSimulation = ({ name }: Field) => name === 'sandbox_error';

/** Every operation of the description. */
export const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, verbs]) =>
  Object.entries(verbs).map(([verb, declared]): Operation => {
    const fields = fieldsOf(declared);
    const statuses = Object.entries(declared.responses).map(([status, one]): [number, Described] => [
      Number(status),
      described(one),
    ]);
    return {
      verb: verb.toUpperCase() as 'GET' | 'POST',
      path,
      fields: fields.filter((one) => !isSimulation(one)),
      simulated: (fields.find(isSimulation)?.schema.enum ?? []).map(String),
      answers: new Map(statuses),
    };
  }),
);
