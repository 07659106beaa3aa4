import type { KnownKey } from '../../domains/partners/keys/keys.ts';
import type { ErrorCode } from '../../platform/contract/errors.ts';
import type { KeyPermission } from '../../platform/contract/key-terms.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { type TSchema, Type } from '../../platform/contract/schema.ts';
import type { Base } from '../../worlds/base.ts';

/** An answer of the API, or of a tool in the same form. */
export interface ToolAnswer {
  readonly isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what is there.
  readonly body: any;
}

/** Who calls a tool: a key that has passed the gates. */
export interface Agent {
  readonly base: Base;
  readonly key: KnownKey;
  readonly now: number;
  api(path: string, sent: Sent): Promise<ToolAnswer>;
}

export interface Sent {
  readonly param?: string | undefined;
  readonly fields?: Readonly<Record<string, string>>;
}

export type Args = Readonly<Record<string, string>>;

export type Input = Readonly<Record<string, { readonly schema: TSchema; readonly required: boolean }>>;

/** One tool as a value. What it takes is checked by the API's own endpoints; here only the names count. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** What it takes besides with a sandbox key. */
  readonly sandboxInput?: Input;
  /** What it answers unless it refuses. */
  readonly output: Output;
  /** It can change something: only keys with a limit on spending have it. */
  readonly writes?: true;
  /** What a restricted key must be allowed for it. All of them read something first. */
  readonly permission: KeyPermission;
  run(agent: Agent, args: Args): Promise<ToolAnswer>;
}

/** The permission that a restricted key is missing for a tool; undefined: none. */
export const lacking = ({ permissions }: KnownKey, { permission }: Tool): KeyPermission | undefined =>
  permissions && (['read', permission] as const).find((needed) => !permissions.includes(needed));

/** Refusals that the API does not have. docs/agents.md says what each means. */
export const ownRefusals = [
  'cross_origin',
  'unknown_tool',
  'invalid_arguments',
  'spending_limit_required',
  'invalid_confirmation',
  'confirmation_expired',
  'already_asked',
] as const;
export type RefusalCode = (typeof ownRefusals)[number] | ErrorCode;

export const refused = (
  error: RefusalCode,
  message: string,
  more: Readonly<Record<string, unknown>> = {},
): ToolAnswer => ({
  isError: true,
  body: { error, message, ...more },
});

/** A live key does not have the arguments of the sandbox: what was meant as a rehearsal is refused and buys nothing. */
export const inputOf = ({ input, sandboxInput }: Tool, mode: Mode): Input =>
  mode === 'sandbox' ? { ...input, ...sandboxInput } : input;

export function listed(tool: Tool, mode: Mode) {
  const { name, title, description, output, writes } = tool;
  const input = inputOf(tool, mode);
  const properties = Object.fromEntries(Object.entries(input).map(([field, { schema }]) => [field, briefly(schema)]));
  const required = Object.keys(input).filter((field) => input[field]?.required);
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object' as const,
      properties,
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
    outputSchema: output,
    annotations: {
      // The confirmation is the idempotency key. What writes may destroy something, unless it says otherwise.
      ...(writes ? { idempotentHint: true } : { readOnlyHint: true }),
      openWorldHint: false,
    },
  };
}

/** What is too long to be read by every agent before its first call is a text: the names of events, for example. */
const MOST_CHOICES = 12;
const brief = ['type', 'enum', 'description'];

/** What a field is for. What it may be in detail the endpoint checks, and says in its refusal. */
function briefly(schema: TSchema): object {
  const all = schema as Record<string, unknown>;
  const isLong = Array.isArray(all.enum) && all.enum.length > MOST_CHOICES;
  const shown = Object.entries(all).filter(([name]) => brief.includes(name) && !(isLong && name === 'enum'));
  return { ...Object.fromEntries(shown), ...(isLong && { type: 'string' }) };
}

/** Arguments as the API takes them: texts. Undefined: a name is unknown or a value is not plain. */
export function readArgs(input: Input, given: unknown): Args | undefined {
  if (given === undefined) return {};
  if (given === null || typeof given !== 'object' || Array.isArray(given)) return undefined;
  const args: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(input, name)) return undefined;
    // Models fill in optional arguments with null.
    if (value === null || value === undefined) continue;
    if (typeof value === 'boolean') args[name] = value ? '1' : '0';
    else if (typeof value === 'string' || typeof value === 'number') args[name] = String(value);
    else return undefined;
  }
  return args;
}

export const words = (description: string) => ({ schema: Type.String({ description }), required: false });

/** JSON Schema of an object, as a client gets it. */
type Output = { readonly type: 'object' } & Readonly<Record<string, unknown>>;

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/**
 * What a tool answers: its fields and their types, but neither which of them are always there nor what rows and blocks consist of. The
 * answer shows that, and openapi.json explains it. Every agent reads the list of tools before its first call, and with all fields it
 * was three times as long.
 */
export function outputOf(...schemas: readonly TSchema[]): Output {
  const fields = schemas.flatMap((schema) => Object.entries((schema as Schema).properties ?? {}));
  return { type: 'object', properties: Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field)])) };
}

function typeOf(field: Schema): object {
  if (field.enum) return { enum: field.enum };
  if (field.const !== undefined) return { const: field.const };
  if (field.anyOf) return { type: [...new Set(field.anyOf.map(({ type }) => type))] };
  return { type: field.type };
}

/** Of a tool in two steps: what the first call answers and, without a `status`, what the second does. */
export function twoOutputs(
  amountField: string | null,
  facts: Readonly<Record<string, TSchema>>,
  second: TSchema,
): Output {
  const first = Type.Object({
    status: Type.Literal('confirmation_required'),
    ...(amountField !== null && { [amountField]: Type.String() }),
    ...facts,
    question: Type.String(),
    confirmation: Type.String(),
    confirm_before: Type.String(),
  });
  return outputOf(first, second);
}
