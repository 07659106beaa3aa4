import type { components, operations } from './schema.ts';

/** Every named schema of the API: `Schemas['Product']`, `Schemas['Order']`. */
export type Schemas = components['schemas'];

/** An endpoint by the name the description gives it: `purchase_buy` for `purchase/buy`. */
export type Operation = keyof operations;

type Form<Op extends Operation> = NonNullable<operations[Op]['requestBody']>;

type Wire<Op extends Operation> = [Form<Op>] extends [never]
  ? NonNullable<operations[Op]['parameters']['query']>
  : Form<Op> extends { content: { 'application/x-www-form-urlencoded': infer Sent } }
    ? Sent
    : never;

/** Where the API takes "1" and "0", `true` and `1` will do. */
type Flag<Value> = [Value] extends ['0' | '1' | undefined] ? Value | 0 | 1 | boolean : Value;

/** One line of a batch. */
export interface BatchItem {
  readonly product_id: string;
  /** 1 to 100; 1 if it is left out. */
  readonly quantity?: number;
  /** Your own reference of its orders. */
  readonly reference?: string;
}

/** Fields that hold a list. The API reads text: values between commas, objects as JSON. Here they are arrays. */
interface Lists {
  events: readonly WebhookEvent['event'][];
  items: readonly BatchItem[];
}

type Value<Name, Sent> = Name extends keyof Lists ? Lists[Name] : Flag<Sent>;

/** What a call takes: the fields of its form or its query. */
export type Fields<Op extends Operation> = { [Name in keyof Wire<Op>]: Value<Name, Wire<Op>[Name]> };

/** What a call answers. */
export type Answer<Op extends Operation> = Json<operations[Op]['responses']>;

type Json<Responses> = Responses extends { 200: infer Response } | { 202: infer Response }
  ? Response extends { content: { 'application/json': infer Body } }
    ? Body
    : Response extends { content: { 'application/pdf': unknown } | { 'application/xml': unknown } }
      ? Uint8Array
      : never
  : never;

export type ErrorCode = keyof Schemas['Refusals'];

/** The body of a refused call, told apart by `error`. */
export type ErrorBody = {
  [Code in ErrorCode]: { error: Code } & Schemas['Refusals'][Code] & Schemas['Refused'];
}[ErrorCode];

/** The body of a webhook, told apart by `event`. */
export type WebhookEvent = Schemas[Extract<keyof Schemas, `${string}Event`>];
