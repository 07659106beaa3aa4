import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { outsideFile, outsideMissing } from '../test/support/outside.ts';

/**
 * `npm run sdk`: makes the SDK's types and the answers of its fake from openapi.json and the recorded examples. A test makes them
 * again and compares.
 */
interface Described {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
  components: { schemas: Record<string, { properties?: Record<string, { const?: string }> }> };
}
interface Operation {
  parameters: { in?: string; $ref?: string }[];
  responses: Record<string, { headers?: unknown; content: Record<string, { examples?: unknown }> }>;
}
interface Recorded {
  readonly answers: Readonly<Record<string, readonly { readonly name: string; readonly body: object }[]>>;
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
          .filter(([status]) => status === '200')
          .map(([status, { headers: _, ...response }]) => [status, response]),
      );
    }
  return { ...document, webhooks: {}, components: { schemas: document.components.schemas } };
}

export async function schemaText(): Promise<string> {
  const { default: openapiTS, astToString } = await import(
    pathToFileURL(outsideFile('openapi-typescript/dist/index.mjs')).href
  );
  return HEADER + astToString(await openapiTS(withoutBallast(await read<Described>('openapi.json'))));
}

export async function examplesText(): Promise<string> {
  const { answers, events } = await read<Recorded>('src/api/openapi/recorded.json');
  const first = Object.entries(answers).map(([path, [usual]]) => [path.slice(1), usual?.body]);
  const { schemas } = (await read<Described>('openapi.json')).components;
  const refusals = Object.values(schemas).filter(({ properties }) => properties?.result?.const === 'fail');
  const statuses = refusals.map(({ properties }) => [properties?.error?.const, Number(properties?.code?.const)]);
  const line = (name: string, type: string, value: unknown) =>
    `export const ${name}: Readonly<Record<string, ${type}>> = ${JSON.stringify(value, null, 1)};\n`;
  return [
    HEADER,
    '/** What every endpoint answers, by its path. */\n',
    line('answers', 'object', Object.fromEntries(first)),
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
}
