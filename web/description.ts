import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';
import {
  codesEverywhere,
  type Description,
  entriesOf,
  FAILED_ENVELOPE,
  type Operation,
  type Schema,
} from '../src/entry/public/reference/description.ts';
import { glance } from '../src/entry/public/reference/words.ts';

const NAMED = 'description:';
const FILE = new URL('../openapi.json', import.meta.url);

type Operations = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/**
 * Makes modules of openapi.json when the panel is built, so that a page gets what it shows: `description:outline` is what the list of
 * endpoints and events needs, and `description:pieces` loads each of them with everything it refers to. The whole is 60 kB, compressed.
 */
export function descriptionPieces(): Plugin {
  let whole: Promise<Description> | undefined;
  return {
    name: 'description-pieces',
    resolveId: (id) => (id.startsWith(NAMED) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${NAMED}`)) return undefined;
      whole ??= readFile(FILE, 'utf8').then((text) => JSON.parse(text, shown) as Description);
      this.addWatchFile(FILE.pathname);
      const api = await whole;
      const name = id.slice(NAMED.length + 1);
      if (name !== 'pieces') return exported(name === 'outline' ? outlineOf(api) : pieceOf(api, name));
      const loaders = entriesOf(api).map((entry) => `${JSON.stringify(entry.id)}: () => import('${NAMED}${entry.id}')`);
      return `export const pieces = { ${loaders.join(', ')} };`;
    },
  };
}

/**
 * No page shows the headers of an answer, and each names several parts of the description; nor the fields that all errors have,
 * which each of them describes.
 */
function shown(name: string, value: unknown): unknown {
  if (name === 'headers') return undefined;
  const { properties } = Object(value) as { properties?: Readonly<Record<string, Schema>> };
  if (!name.endsWith('Error') || !properties?.error) return value;
  const { const: code, description } = properties.error;
  const own = Object.entries(properties).filter(([field]) => !FAILED_ENVELOPE.includes(field));
  return { properties: { ...Object.fromEntries(own), error: { const: code, description } } };
}

const exported = (description: unknown): string => `export const description = ${JSON.stringify(description)};`;

/** For each operation, what the list shows and what its search covers. */
export function outlineOf({ info, tags, paths, webhooks }: Description): unknown {
  const cut = ({ operationId, summary, tags: own, parameters, responses }: Operation) => ({
    ...{ operationId, summary, tags: own },
    parameters: parameters.map(({ name }) => ({ name })),
    responses: mapped(responses, ({ description }) => ({ description })),
  });
  const inShort = (operations: Operations) => mapped(operations, (methods) => mapped(methods, cut));
  return { info: { description: info.description }, tags, paths: inShort(paths), webhooks: inShort(webhooks) };
}

/** One operation, the parts of the description it refers to, and which errors it shares with every other. */
export function pieceOf(api: Description, id: string): unknown {
  let tables: Description['glance'];
  const only = (operations: Operations) =>
    Object.fromEntries(
      Object.entries(operations).flatMap(([path, methods]) => {
        const kept = Object.entries(methods).filter(([, { operationId }]) => operationId === id);
        if (kept.length === 0) return [];
        const told = kept.map(([verb, operation]) => {
          const { text, outcomes, facts } = glance(operation.description);
          tables = { outcomes, facts };
          return [verb, { ...operation, description: text, responses: answersIn(operation) }];
        });
        return [[path, Object.fromEntries(told)]];
      }),
    );
  const piece = { info: { description: '' }, tags: [], paths: only(api.paths), webhooks: only(api.webhooks) };
  return { ...piece, glance: tables, everywhere: [...codesEverywhere(api)], ...referredTo(api, piece) };
}

/** The page of an endpoint says of an error what its schema says: the codes in its description and an example of each would say it again. */
const answersIn = ({ responses }: Operation) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { content, ...answer }]) => [
      status,
      status >= '400' && content ? { content: mapped(content, ({ schema }) => ({ schema })) } : { ...answer, content },
    ]),
  );

/** `#/components/schemas/Esim` at its place in `{ components: { schemas: { Esim: … } } }`, with all that it refers to in turn. */
function referredTo(api: Description, piece: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const seen = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, ref = ''] of JSON.stringify(part).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      if (seen.has(ref)) continue;
      seen.add(ref);
      const steps = ref.split('/');
      const last = steps.pop() ?? '';
      const at = (from: unknown, step: string) => (from as Record<string, unknown>)[step];
      const target = at(steps.reduce(at, api as unknown), last);
      const into = steps.reduce<Record<string, unknown>>((place, step) => {
        place[step] ??= {};
        return place[step] as Record<string, unknown>;
      }, found);
      into[last] = target;
      follow(target);
    }
  };
  follow(piece);
  return found;
}

const mapped = <T, U>(values: Readonly<Record<string, T>>, to: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]));
