import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { outsideFile, outsideMissing } from '../test/support/debian/outside.ts';

/**
 * `npm run sdk`: makes the SDK's types and the answers of its fake from openapi.json and the recorded examples. A test makes them
 * again and compares.
 */
interface Described {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
  components: { schemas: Record<string, Schema> };
}
interface Schema {
  type?: string;
  title?: string;
  description?: string;
  properties?: Record<string, Property>;
  required?: string[];
  allOf?: Schema[];
}
interface Property extends Schema {
  $ref?: string;
  const?: string;
}
interface Operation {
  parameters: { in?: string; $ref?: string }[];
  responses: Record<string, { headers?: unknown; content: Record<string, { examples?: unknown }> }>;
}
interface Answered {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: object;
}
interface Recorded {
  readonly answers: Readonly<Record<string, readonly Answered[]>>;
  readonly events: Readonly<Record<string, object>>;
}

const HEADER = '// Made by `npm run sdk` from the description of the API. Do not edit.\n';
const root = new URL('..', import.meta.url);

const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(new URL(path, root), 'utf8'));

/** What the client needs: fields, answers and error schemas. Which call can give which error stays in the description. */
function withoutBallast(document: Described): Described {
  for (const path of Object.values(document.paths))
    for (const operation of Object.values(path)) {
      operation.parameters = operation.parameters.filter((one) => one.in === 'query' || one.in === 'path');
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses)
          .filter(([status]) => status === ('200' in operation.responses ? '200' : '202'))
          .map(([status, { headers: _, ...response }]) => [status, response]),
      );
    }
  return { ...document, webhooks: {}, components: { schemas: document.components.schemas } };
}

/** A field that is another schema is described by that schema, so that an editor has something to show for every field. */
function withDescribedFields(document: Described): Described {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) {
    // The name again.
    delete schema.title;
    for (const { properties = {} } of [schema, ...(schema.allOf ?? [])])
      for (const property of Object.values(properties)) {
        const { description } = schemas[property.$ref?.split('/').at(-1) ?? ''] ?? {};
        if (description) property.description = description;
      }
  }
  return document;
}

const isRefusal = ({ properties }: Schema): boolean => properties?.result?.const === 'fail';

/** What every refusal has; its code is the key of the map. */
const EVERYWHERE = ['result', 'title', 'message', 'api_version', 'livemode', 'sandbox_simulated', 'ignored'];

/** The fields of a schema that `keeps` keeps. */
const part = ({ properties = {}, required = [], description = '' }: Schema, keeps: (name: string) => boolean) => ({
  type: 'object',
  description,
  properties: Object.fromEntries(Object.entries(properties).filter(([name]) => keeps(name))),
  required: required.filter(keeps),
});

/** The bodies of all errors as one map, from each code to what comes with it only. Spelled out they are half of all the types. */
function withErrorMap(document: Described): Described {
  const { schemas } = document.components;
  const refusals = Object.values(schemas).filter(isRefusal);
  const codes = refusals.map((refusal): [string, Schema] => {
    const { error, code } = refusal.properties ?? {};
    // A status says no more than its number.
    if (code) refusal.properties = { ...refusal.properties, code: { type: 'string', const: code.const ?? '' } };
    return [error?.const ?? '', part(refusal, (name) => name !== 'error' && !EVERYWHERE.includes(name))];
  });
  document.components.schemas = {
    ...Object.fromEntries(Object.entries(schemas).filter(([, schema]) => !isRefusal(schema))),
    Refused: part({ ...refusals[0], description: 'What every refusal has.' }, (name) => EVERYWHERE.includes(name)),
    Refusals: {
      type: 'object',
      description: 'What comes with each error code: the HTTP status, and fields that only it has.',
      properties: Object.fromEntries(codes),
      required: codes.map(([code]) => code),
    },
  };
  return document;
}

/** Only the operations are used: the same calls by path, and empty tables, are left out. */
const withoutPaths = (text: string): string =>
  text.replace(/^export interface paths \{.*?^\}\n/ms, '').replace(/^export type (webhooks|\$defs) = .*\n/gm, '');

/**
 * The text of a comment itself: editors show the tag `@description` below a field, not as its documentation, and paragraphs that are
 * indented as code. What the type says already (`@constant`, `@enum`) is left out.
 */
const plainComments = (text: string): string =>
  text
    .replace(/^(\s*\* )(?!@)(.+)\n\s*\* @description /gm, '$1$2\n$1\n$1')
    .replaceAll('* @description ', '* ')
    .replace(/^(\s*\*) {5}(?=\S)/gm, '$1 ')
    .replace(/^ *(\/\*)?\* @(constant|enum \{\w+\})( \*\/)?\n/gm, '')
    .replace(/\/\*\*\n +\* (.*)\n +\*\/$/gm, '/** $1 */')
    .replace(/ +$/gm, '');

export async function schemaText(): Promise<string> {
  const { default: openapiTS, astToString } = await import(
    pathToFileURL(outsideFile('openapi-typescript/dist/index.mjs')).href
  );
  const described = withErrorMap(withDescribedFields(withoutBallast(await read<Described>('openapi.json'))));
  return HEADER + withoutPaths(plainComments(astToString(await openapiTS(described))));
}

export async function versionText(): Promise<string> {
  const { version } = await read<{ version: string }>('sdk/package.json');
  return `${HEADER}export const VERSION = '${version}';\n`;
}

/** The fields that only the second has, but for its key, which every purchase has. */
const whatDiffers = (usual: Answered['fields'], fields: Answered['fields']) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !(name in usual) && name !== 'idempotency_key'));

export async function examplesText(): Promise<string> {
  const { answers, events } = await read<Recorded>('openapi/recorded.json');
  const first = Object.entries(answers).map(([path, [usual]]) => [path.slice(1), usual?.body]);
  const others = Object.entries(answers).map(([path, [usual, ...more]]) => [
    path.slice(1),
    more.map(({ status, fields, body }) => ({ when: whatDiffers(usual?.fields ?? {}, fields), status, body })),
  ]);
  const { schemas } = (await read<Described>('openapi.json')).components;
  const refusals = Object.values(schemas).filter(isRefusal);
  const statuses = refusals.map(({ properties }) => [properties?.error?.const, Number(properties?.code?.const)]);
  const line = (name: string, type: string, value: unknown) =>
    `export const ${name}: Readonly<Record<string, ${type}>> = ${JSON.stringify(value, null, 1)};\n`;
  return [
    HEADER,
    '/** What every endpoint answers, by its path. */\n',
    line('answers', 'object', Object.fromEntries(first)),
    '/** What some answer instead, if these fields are sent. */\n',
    line(
      'variants',
      'readonly { readonly when: Readonly<Record<string, string>>; readonly status: number; readonly body: object }[]',
      Object.fromEntries(others.filter(([, more]) => more?.length)),
    ),
    '/** The body of every webhook, by its event. */\n',
    line('events', 'object', events),
    '/** The HTTP status of every error code. */\n',
    line('statuses', 'number', Object.fromEntries(statuses)),
  ].join('');
}

if (import.meta.main) {
  const missing = await outsideMissing();
  if (missing) throw new Error(missing);
  await writeFile(new URL('sdk/src/schema.ts', root), await schemaText());
  await writeFile(new URL('sdk/src/examples.ts', root), await examplesText());
  await writeFile(new URL('sdk/src/version.ts', root), await versionText());
}
