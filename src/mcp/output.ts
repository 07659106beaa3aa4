import { type TSchema, Type } from '../contract/schema.ts';

/** JSON Schema of an object, as a client gets it. */
export type Output = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

/** Of use to readers of the reference; here they would only make the list of tools longer. */
const LEFT_OUT = ['examples', 'x-enum-descriptions'];

/** What a tool answers: a schema without the fields that the tool does not show. */
export function outputOf(schema: TSchema, isShown: (field: string) => boolean): Output {
  return { type: 'object', ...(written(JSON.parse(JSON.stringify(schema)), isShown) as object) };
}

function written(node: unknown, isShown: (field: string) => boolean): unknown {
  if (Array.isArray(node)) return node.map((one) => written(one, isShown));
  if (node === null || typeof node !== 'object') return node;
  const { properties, required, ...rest } = node as { properties?: object; required?: string[] };
  const inner = (one: object) =>
    Object.entries(one).map(([name, value]): [string, unknown] => [name, written(value, isShown)]);
  return {
    ...Object.fromEntries(inner(rest).filter(([name]) => !LEFT_OUT.includes(name))),
    ...(properties && { properties: Object.fromEntries(inner(properties).filter(([field]) => isShown(field))) }),
    ...(required && { required: required.filter(isShown) }),
  };
}

/** Of a tool in two steps: what the first call answers, or what the second does without the fields it does not show. */
export function twoOutputs(
  amountField: string,
  facts: Readonly<Record<string, TSchema>>,
  second: TSchema,
  isShown: (field: string) => boolean,
): Output {
  const text = (description: string) => Type.String({ description });
  const first = Type.Object({
    status: Type.Literal('confirmation_required', { description: 'Nothing has happened yet.' }),
    [amountField]: text('The amount in USD.'),
    ...facts,
    question: text('What to ask the person.'),
    confirmation: text('To send with the second call.'),
    confirm_before: text('Until when, in UTC.'),
  });
  return { type: 'object', anyOf: [outputOf(first, () => true), outputOf(second, isShown)] };
}
