import { fail } from '../../../platform/contract/failure.ts';
import { hasBody } from '../../../platform/http/body.ts';
import type { Endpoint, FileReply, Reply } from '../endpoint.ts';
import { type AnswerParts, answered } from '../gates/answer.ts';
import type { ApiRequest } from '../gates/api-request.ts';
import {
  contextOf,
  type Ground,
  handle,
  requireEndpoint,
  requirePermission,
  requireWithinLimit,
  takeCall,
} from '../gates/gates.ts';
import { isAtOrBelow } from '../gates/hosts.ts';
import type { Route } from '../gates/route.ts';
import type { ReadyReply } from '../ready.ts';
import { airaloDialect } from './answers.ts';
import { clientOfToken, type DoorParts, issueToken, requireClient, requireSignature, TOKEN } from './credentials.ts';
import { BASE, type Shop } from './endpoint.ts';
import { orderEndpoints } from './orders.ts';
import { packageEndpoints } from './packages.ts';
import { fieldsOf, formOf, type Payload, readPayload } from './payload.ts';
import { simEndpoints } from './sims.ts';
import { webhookEndpoints } from './webhooks.ts';

/**
 * The door for software made for Airalo's Partner API: another dialect of the same API. It reads their requests, passes the gates with the
 * key of the client's token, calls what our own endpoints call, and writes their answers. It decides nothing about what is sold.
 */
export function openDoor(parts: DoorParts, shop: Shop): NonNullable<AnswerParts['door']> {
  const find = routesOf([TOKEN, ...doorEndpoints(shop)]);
  return (answer, req) => {
    const isOffered = req.host.environment === 'sandbox' || req.host.environment === 'live';
    if (!isOffered || !isAtOrBelow(req.path, '/airalo')) return undefined;
    req.route = find(req.method, req.path);
    return answered(answer, req, (ground) => passDoor(parts, ground, req), airaloDialect);
  };
}

/** What clients with a token can ask for. */
export const doorEndpoints = (shop: Shop) => [
  ...packageEndpoints,
  ...orderEndpoints(shop),
  ...simEndpoints,
  ...webhookEndpoints(shop),
];

/** The order of the gates is that of our own API, with the token in place of the key. */
async function passDoor(parts: DoorParts, ground: Ground, req: ApiRequest): Promise<Reply | ReadyReply | FileReply> {
  const { clients, vault } = parts;
  const payload = await read(req);
  if (req.route.endpoint === TOKEN) return issueToken({ ...parts, ground }, req, payload);
  const bearer = /^Bearer +(\S+) *$/i.exec(req.incoming.headers.authorization ?? '')?.[1];
  if (bearer === undefined) throw fail('api_key_required');
  const clientId = clientOfToken(vault, bearer, req.now);
  const key = requireClient(ground, req, clientId === undefined ? undefined : await clients.find(clientId));
  const endpoint = requireEndpoint(req);
  requireWithinLimit(req, await takeCall(ground, req, key));
  requirePermission(key, endpoint);
  if (req.method === 'POST') requireSignature(vault, req, key, payload);
  return handle(contextOf(ground, req, key), req, endpoint, undefined, undefined);
}

/** Decodes the query and the body. Both become fields like those of our own API. */
async function read(req: ApiRequest): Promise<Payload> {
  req.decodeUrl();
  const { headers } = req.incoming;
  // Headers that are fields like others.
  const spoken = {
    accept_language: headers['accept-language'],
    sdk: headers['airalo-nodejs-sdk'] ?? headers['airalo-python-sdk'],
  };
  req.query = formOf({ ...fieldsOf(new URLSearchParams(req.queryText)), ...spoken });
  if (!hasBody(req.incoming)) return {};
  const payload = await readPayload(req.incoming);
  req.body = formOf(payload);
  return payload;
}

/** A path has one parameter at most. One that has no endpoint for the verb leads to that of another, which then refuses it. */
function routesOf(endpoints: readonly Endpoint[]): (method: string, path: string) => Route {
  const forms = endpoints.map((endpoint) => {
    return { endpoint, form: new RegExp(`^${endpoint.path.replace(/\{\w+\}/, '([^/]+)')}/?$`) };
  });
  return (method, path) => {
    const verb = method === 'HEAD' ? 'GET' : method;
    const there = forms.filter(({ form }) => form.test(path));
    const { endpoint, form } = there.find((one) => one.endpoint.verb === verb) ?? there[0] ?? {};
    if (!endpoint) return { endpoint, param: '', problem: 'unknown_endpoint', pattern: BASE };
    return { endpoint, param: form?.exec(path)?.[1] ?? '', problem: undefined, pattern: endpoint.path };
  };
}
