import type { Outgoing } from '../../../domains/messages/webhooks/webhooks.ts';
import type { Clock } from '../../../platform/clock.ts';
import { patterned, type RawValue } from '../../../platform/contract/fields.ts';
import type { KeyPermission, Tier } from '../../../platform/contract/key-terms.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Budgets } from '../../../platform/limits/budget.ts';
import type { Log } from '../../../platform/log.ts';
import type { Context, Endpoint, Fields, PathParam, Reply } from '../endpoint.ts';
import type { Router } from '../gates/route.ts';
import type { ReadyReply } from '../ready.ts';

/** What the door's endpoints work with besides the context of their request. */
export interface Shop {
  /** The endpoints of our own API: what is bought here is bought through them. */
  readonly router: Router;
  readonly budgets: Budgets;
  readonly sender: Outgoing['sender'];
  readonly guard: Outgoing['guard'];
  readonly clock: Clock;
  readonly log: Log;
  /** Whether the same order within a minute is one order. */
  readonly dedupes: boolean;
}

export type Sent = Readonly<Record<string, string | undefined>>;

export interface Asked {
  readonly param: string;
  /** Where the list is: for its links. */
  readonly path: string;
  readonly acceptEncoding: string | undefined;
}

/** Every caller of the door has a key. */
export type ClientContext = Context & { readonly keyId: number };

interface Declared {
  readonly verb: 'GET' | 'POST';
  /** Below `/airalo/v2`; `{iccid}` and `{id}` are parameters. */
  readonly path: `/${string}`;
  readonly tier: Tier;
  readonly permission?: KeyPermission;
  /** The fields it reads. The request log shows these. */
  readonly fields?: readonly string[];
  calls?(sent: { get(name: string): RawValue }): number;
  handle(context: ClientContext, sent: Sent, asked: Asked): Promise<Reply | ReadyReply>;
}

/** Where the door begins, below the base address of the API. */
export const BASE = '/airalo/v2';

/** Absent, or a text. What is sent twice is neither. */
const text = patterned(/^/, 'malformed_request');

/** One address of the door, in the form of our own endpoints: so that the gates, the limits and the request log are theirs. */
export function airalo({ fields = [], path, handle, ...declared }: Declared): Endpoint {
  const name = /\{(\w+)\}/.exec(path)?.[1];
  const param: PathParam | undefined =
    name === undefined ? undefined : { name, missing: 'order_not_found', schema: Type.String() };
  return {
    ...declared,
    path: `${BASE}${path}`,
    summary: '',
    fields: Object.fromEntries(fields.map((field) => [field, text])) as Fields,
    errors: [],
    simulated: [],
    reply: Type.Object({}),
    ...(param && { param }),
    handle: (context, input, given) =>
      handle(context as ClientContext, input as Sent, { ...given, path: `${BASE}${path}` }),
  };
}

/** Calls an endpoint of our own API for a request that has passed the gates of the door. */
export async function callOwn(
  { router }: Shop,
  context: Context,
  path: string,
  sent: Sent,
): Promise<Readonly<Record<string, unknown>>> {
  const { endpoint } = router.find(path);
  if (!endpoint) throw new Error(`${path} is no endpoint`);
  const fields = Object.entries(endpoint.fields);
  const input = Object.fromEntries(fields.map(([name, field]) => [name, field.parse(sent[name])]));
  const checked = await endpoint.check?.(context, input, '');
  const asked = { param: '', checked, port: undefined, acceptEncoding: undefined, envelope: () => '' };
  const reply = await endpoint.handle(context, input, asked);
  if (!('body' in reply)) throw new Error(`${path} answers with a file`);
  return reply.body;
}
