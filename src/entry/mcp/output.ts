import { type TSchema, Type } from '../../platform/contract/schema.ts';

/** JSON Schema of an object, as a client gets it. */
export type Output = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/**
 * What a tool answers: its fields and their types, but not what rows and blocks consist of. The answer shows that, and openapi.json
 * explains it. Every agent reads the list of tools before its first call, and with all fields it was three times as long.
 */
export function outputOf(schema: TSchema): Output {
  const { properties = {}, required = [] } = schema as Schema;
  const fields = Object.entries(properties).map(([name, field]) => [name, typeOf(field)]);
  return { type: 'object', properties: Object.fromEntries(fields), required };
}

function typeOf(field: Schema): object {
  if (field.enum) return { enum: field.enum };
  if (field.const !== undefined) return { const: field.const };
  if (field.anyOf) return { type: [...new Set(field.anyOf.map(({ type }) => type))] };
  return { type: field.type, ...(field.items?.type && { items: { type: field.items.type } }) };
}

/** Of a tool in two steps: what the first call answers, or what the second does. */
export function twoOutputs(amountField: string, facts: Readonly<Record<string, TSchema>>, second: TSchema): Output {
  const first = Type.Object({
    status: Type.Literal('confirmation_required'),
    [amountField]: Type.String(),
    ...facts,
    question: Type.String(),
    confirmation: Type.String(),
    confirm_before: Type.String(),
  });
  return { type: 'object', anyOf: [outputOf(first), outputOf(second)] };
}
