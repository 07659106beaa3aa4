import { readFile } from 'node:fs/promises';

/** The description of the API as the generator reads it: only what our own descriptions use. */
export interface Described {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: unknown;
  components: { schemas: Record<string, Schema> };
}
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  title?: string;
  description?: string;
  default?: unknown;
  examples?: readonly unknown[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
}
export interface Content {
  readonly content: Record<string, { readonly schema: Schema }>;
}
export interface Parameter {
  readonly in?: string;
  readonly name: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses: Record<string, Content>;
}
export interface Answered {
  readonly status: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: object;
}
export interface Recorded {
  readonly answers: Readonly<Record<string, readonly Answered[]>>;
  readonly events: Readonly<Record<string, object>>;
}

const root = new URL('../..', import.meta.url);

export const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(new URL(path, root), 'utf8'));

export const isRefusal = ({ properties }: Schema): boolean => properties?.result?.const === 'fail';
