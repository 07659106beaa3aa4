import {
  type Answered,
  type Content,
  type Described,
  isRefusal,
  type Operation,
  type Recorded,
  read,
  type Schema,
} from './description.ts';

const HEADER = '// Made by `npm run sdk` from the description of the API. Do not edit.\n';

/** A field that is another schema is described by that schema, so that an editor has something to show for every field. */
function withDescribedFields(document: Described): Described {
  const { schemas } = document.components;
  for (const schema of Object.values(schemas)) {
    for (const { properties = {} } of [schema, ...(schema.allOf ?? [])])
      for (const property of Object.values(properties)) {
        const { description } = schemas[property.$ref?.split('/').at(-1) ?? ''] ?? {};
        if (description) property.description = description;
      }
  }
  return document;
}

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
    return [String(error?.const), part(refusal, (name) => name !== 'error' && !EVERYWHERE.includes(name))];
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

/** What an editor shows of a field. */
function comment({ description = '', default: preset, examples = [] }: Schema): string {
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));
  const lines = [
    description,
    ...(preset === undefined ? [] : [`@default ${shown(preset)}`]),
    ...examples.map((example) => `@example ${shown(example)}`),
  ].filter((line) => line !== '');
  const text = lines.join('\n').replaceAll('*/', '*\\/');
  if (!text.includes('\n')) return text === '' ? '' : `/** ${text} */\n`;
  return `/**\n${text.replace(/^/gm, ' * ').replace(/ +$/gm, '')}\n */\n`;
}

const key = (name: string): string => (/^\w+$/.test(name) ? name : JSON.stringify(name));

const fields = (properties: Record<string, Schema>, required: readonly string[]): string =>
  `{\n${Object.entries(properties)
    .map(([name, one]) => `${comment(one)}${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(one)};\n`)
    .join('')}}`;

/** A schema as a type. Only what our own descriptions use is known. */
function typeOf(schema: Schema): string {
  const { $ref, type, enum: values, allOf, anyOf, properties, required = [], items } = schema;
  if ($ref) return `components['schemas'][${JSON.stringify($ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (allOf) return allOf.map((one) => `(${typeOf(one)})`).join(' & ');
  if (anyOf) return anyOf.map((one) => `(${typeOf(one)})`).join(' | ');
  if (properties) return fields(properties, required);
  if (typeof type === 'object') return type.map((one) => typeOf({ type: one })).join(' | ');
  if (type === 'array') return `(${items ? typeOf(items) : 'unknown'})[]`;
  if (type === 'object') return '{ [name: string]: unknown }';
  if (type === 'integer') return 'number';
  return type ?? 'unknown';
}

/** What the client needs of a call: its fields and what it answers. Which errors it can give stays in the description. */
function operationType({ parameters, requestBody, responses }: Operation): string {
  const sent = parameters.filter((one) => one.in === 'query');
  const isNeeded = sent.some(({ required }) => required);
  const query = fields(
    Object.fromEntries(sent.map(({ name, description = '', schema }) => [name, { ...schema, description }])),
    sent.filter(({ required }) => required).map(({ name }) => name),
  );
  const status = '200' in responses ? '200' : '202';
  const contentOf = (one: Content) =>
    `{ content: {${Object.entries(one.content).map(([type, { schema }]) => `'${type}': ${typeOf(schema)}`)}} }`;
  return `{
parameters: { query${isNeeded ? '' : '?'}: ${sent.length > 0 ? query : 'never'} };
requestBody${requestBody?.required ? '' : '?'}: ${requestBody ? contentOf(requestBody) : 'never'};
responses: { ${status}: ${contentOf(responses[status] as Content)} };
}`;
}

export async function schemaText(): Promise<string> {
  const { paths, components } = withErrorMap(withDescribedFields(await read<Described>('openapi.json')));
  const calls = Object.values(paths).flatMap((path) => Object.values(path));
  return [
    HEADER,
    `export interface components {\nschemas: ${fields(components.schemas, Object.keys(components.schemas))};\n}\n`,
    `export interface operations {\n${calls.map((call) => `${call.operationId}: ${operationType(call)};\n`).join('')}}\n`,
  ].join('');
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
