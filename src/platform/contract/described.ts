import type { Field } from './fields.ts';
import { type TSchema, Type } from './schema.ts';

/** What each value of a closed vocabulary means. */
export type Meanings<V extends string = string> = Readonly<Record<V, string>>;

/** An object with a name: the description lists it once under that name, and everything else refers to it. */
export const named = <const P extends Record<string, TSchema>>(title: string, description: string, properties: P) =>
  Type.Object(properties, { title, description });

/** A closed vocabulary, each value with its meaning. */
export const vocabulary = <const V extends string>(description: string, meanings: Meanings<V>) =>
  Type.Enum(Object.keys(meanings) as V[], { description, 'x-enum-descriptions': meanings });

const saying = (description: string, example: unknown) => ({
  description,
  ...(example !== undefined && { examples: [example] }),
});

/** A value with what it says and, where that helps, an example. */
export const said = {
  text: (description: string, example?: string) => Type.String(saying(description, example)),
  number: (description: string, example?: number) => Type.Number(saying(description, example)),
  integer: (description: string, example?: number) => Type.Integer(saying(description, example)),
  boolean: (description: string, example?: boolean) => Type.Boolean(saying(description, example)),
};

/** For blocks where the contract writes unset values as null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The contract's form of a time. */
export const utcTime = (description: string) =>
  Type.String({ description: `${description} UTC.`, examples: ['2026-03-01 12:00:00'] });

export const usdText = (description: string) => Type.String({ description: `${description} USD, two decimals.` });

export interface Said {
  readonly example?: string | number;
  readonly meanings?: Meanings;
}

export const described = <F extends Field<unknown>>(
  description: string,
  field: F,
  { example, meanings }: Said = {},
): F => ({
  ...field,
  schema: {
    ...field.schema,
    description,
    ...(example !== undefined && { examples: [example] }),
    ...(meanings && { 'x-enum-descriptions': meanings }),
  },
});
