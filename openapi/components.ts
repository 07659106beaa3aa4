import type { TSchema } from 'typebox';
import type { Samples } from './samples.ts';

/** JSON Schema as it is written into the description. */
export type Json = Record<string, unknown>;

interface Node {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly 'x-enum-descriptions'?: Readonly<Record<string, string>>;
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: object;
  readonly items?: Node;
  readonly examples?: readonly unknown[];
}

const refTo = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** The named schemas of the description, collected while its parts are written. */
export class Components {
  readonly schemas: Record<string, Json> = {};
  readonly #samples: Samples;
  /** What each name stands for. */
  readonly #meant = new Map<string, string>();

  constructor(samples: Samples) {
    this.#samples = samples;
  }

  /** A schema as the description shows it; one with a name becomes a component, and the answer refers to it. `at` is its place. */
  schema(schema: TSchema, at: string): Json {
    return this.#write(schema as Node, at);
  }

  /** Adds a component under a name and refers to it. */
  add(name: string, schema: Json): Json {
    this.schemas[name] ??= schema;
    return refTo(name);
  }

  #write(node: Node, at: string): Json {
    if (node.title !== undefined && node.properties) {
      const meant = JSON.stringify(node);
      if ((this.#meant.get(node.title) ?? meant) !== meant)
        throw new Error(`two different schemas are named ${node.title}`);
      this.#meant.set(node.title, meant);
      if (!(node.title in this.schemas)) {
        this.schemas[node.title] = {};
        this.schemas[node.title] = this.#inner(node, node.title);
      }
      return refTo(node.title);
    }
    return this.#inner(node, at);
  }

  #inner(node: Node, at: string): Json {
    if (node.anyOf) return this.#union(node, node.anyOf, at);
    const { 'x-enum-descriptions': meanings, patternProperties, ...rest } = node;
    const written: Json = { ...typeOf(node), ...rest };
    if (patternProperties) written.additionalProperties = true;
    if (meanings) {
      written.description = [node.description, listOf(meanings)].join('\n\n');
      written['x-enum-descriptions'] = meanings;
    }
    if (node.properties)
      written.properties = Object.fromEntries(
        Object.entries(node.properties).map(([name, field]) => [name, this.#write(field, `${at}.${name}`)]),
      );
    if (node.items) written.items = this.#write(node.items, `${at}[]`);
    const sample = this.#samples.at(at) ?? node.enum?.[0];
    if (!node.examples && !node.properties && !hasFields(node.items) && sample !== undefined)
      written.examples = [sample];
    return written;
  }

  /** `X or null` is written as a type with null; other unions as they are. */
  #union(node: Node, parts: readonly Node[], at: string): Json {
    const [first, ...others] = parts;
    const isNullable = first && others.length === 1 && others[0]?.type === 'null';
    const own = { ...node, anyOf: undefined };
    if (!isNullable || !first) {
      const sample = this.#samples.at(at);
      const examples = node.examples ?? (sample === undefined || parts.some(hasFields) ? undefined : [sample]);
      return defined({ ...own, examples, anyOf: parts.map((part, n) => this.#write(part, `${at}|${n}`)) });
    }
    const written = this.#write(first, at);
    if ('$ref' in written)
      return { description: `${first.description} Null if there is none.`, anyOf: [written, { type: 'null' }] };
    return defined({ ...written, ...own, type: [written.type, 'null'] });
  }
}

const hasFields = (node: Node | undefined): boolean => node?.properties !== undefined;

const defined = (json: Json): Json =>
  Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));

/** Generators want the type beside the values. */
function typeOf(node: Node): Json {
  if (!node.enum || node.type) return {};
  return { type: node.enum.every((value) => typeof value === 'number') ? 'integer' : 'string' };
}

const listOf = (meanings: Readonly<Record<string, string>>): string =>
  Object.entries(meanings)
    .map(([value, meaning]) => `- ${value === '' ? 'empty' : `\`${value}\``}: ${meaning}`)
    .join('\n');
