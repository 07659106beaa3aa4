import { type Caller, claimedMode } from '../../../domains/partners/keys/keys.ts';
import type { Buyer } from '../../../platform/audit/audit-log.ts';
import { fail } from '../../../platform/contract/failure.ts';
import { BodyTooLong, type Received, readBody } from '../../../platform/http/body.ts';
import { decodePath, Form, Undecodable } from '../../../platform/http/form.ts';
import type { Budget } from '../../../platform/limits/budget.ts';
import type { Verdict } from '../../../platform/limits/rate-limit.ts';
import type { Endpoint } from '../endpoint.ts';
import { type Livemode, livemodeOf, nextRequestId, sandboxMark } from './envelope.ts';
import type { Host } from './hosts.ts';
import { type Route, UNKNOWN_ENDPOINT } from './route.ts';

/** One request on its way through the gates; each gate fills in what it found out. */
export class ApiRequest {
  readonly incoming: Received;
  readonly id = nextRequestId();
  readonly host: Host;
  readonly method: string;
  readonly apiKey: string;
  readonly now: number;
  /** As it was sent. */
  readonly queryText: string;
  /** Below the host's base path, as it was sent. It may hold secrets: log `route.pattern` instead. */
  readonly path: string;
  query: Form = NO_FIELDS;
  body: Form = NO_FIELDS;
  hasJsonBody = false;
  route: Route = UNKNOWN_ENDPOINT;
  caller: Caller | undefined;
  /** The member who buys, set by the panel; no request can. */
  buyer: Buyer | undefined;
  verdict: Verdict | undefined;
  budget: Budget | undefined;
  #isDecoded = false;

  constructor(incoming: Received, host: Host, path: string, queryText: string, now: number) {
    this.incoming = incoming;
    this.host = host;
    this.method = incoming.method ?? 'GET';
    const header = incoming.headers['x-api-key'];
    this.apiKey = typeof header === 'string' ? header.trim() : '';
    this.path = path;
    this.queryText = queryText;
    this.now = now;
  }

  /** Decodes the fields of the body; throws `Undecodable`. */
  decodeBody(text: string): void {
    if (text === '') return;
    this.hasJsonBody = looksLikeJson(text);
    this.body = apiForm(text);
  }

  /** Decodes the path parameter and the query; throws `Undecodable`, for any part of the path. */
  decodeUrl(): void {
    if (this.path.length + this.queryText.length > MAX_URL) throw new Undecodable();
    this.#isDecoded = true;
    // The path of a known endpoint is plain text, except for its parameter.
    if (!this.route.endpoint) decodePath(this.path);
    if (this.queryText !== '') this.query = apiForm(this.queryText);
    if (this.route.param !== '') this.route = { ...this.route, param: decodePath(this.route.param) };
  }

  /** Names of fields that were sent and are not known. A request that was refused before its query was read is read now. */
  get ignored(): readonly string[] | undefined {
    try {
      if (!this.#isDecoded) this.decodeUrl();
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error;
    }
    return ignoredFields(this.route, this.query, this.body);
  }

  /** The sandbox host always says `livemode: false`, whatever went wrong; on the legacy host the key that was sent decides. */
  get livemode(): Livemode {
    const keyDecides = this.host.environment === 'legacy' && claimedMode(this.apiKey) === 'sandbox';
    return keyDecides ? sandboxMark : livemodeOf(this.host);
  }
}

const MAX_URL = 8 * 1024;
const NO_FIELDS = new Form('');

const MAX_BODY_BYTES = 64 * 1024;
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Fields that have an error of their own for text that cannot be decoded. Any other refuses the request. */
const TOLERATED = ['idempotency_key', 'reference'];

export const apiForm = (text: string): Form => new Form(text, TOLERATED);

/** Whether a body is JSON although it was sent as a form: `curl -d '{…}'` does that. */
const looksLikeJson = (text: string): boolean => /^\s*([{[]|%7b|%5b)/i.test(text);

/** The text of the form a request carries, one character per byte; empty when there is none. */
export async function readFormText(request: Received): Promise<string> {
  if (Number(request.headers['content-length']) > MAX_BODY_BYTES) throw fail('body_too_large');
  const bytes = await readBody(request, MAX_BODY_BYTES).catch((error) => {
    throw fail(error instanceof BodyTooLong ? 'body_too_large' : 'malformed_request');
  });
  if (bytes.length === 0) return '';
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  if (!FORM_TYPE.test(type) || encoding.toLowerCase() !== 'identity') throw fail('unsupported_media_type');
  return bytes.toString('latin1');
}

/** Accepted by every endpoint of a key that can simulate errors, in the query and in the body. Live keys may send it, too. */
const SIMULATION = 'sandbox_error';
/** Has an answer of its own wherever it is sent. */
const REFUSED = 'api_key';

const MAX_NAMES = 20;

/** Whether the endpoint has a field of this name, wherever it was sent. */
export const declares = (endpoint: Endpoint | undefined, name: string): boolean =>
  endpoint !== undefined && (Object.hasOwn(endpoint.fields, name) || name === SIMULATION);

/** Whether the endpoint reads a field of this name there: of the query if it is a GET, of the body if it is a POST. */
export const reads = (endpoint: Endpoint, place: 'query' | 'body', name: string): boolean =>
  name === SIMULATION || (Object.hasOwn(endpoint.fields, name) && (place === 'query') === (endpoint.verb === 'GET'));

/**
 * What the caller sent and the endpoint does not know, by name, in the order sent; undefined: nothing. The contract does not refuse
 * it, so this is how a misspelt field is noticed. An unknown path has no fields, and is refused for another reason.
 */
function ignoredFields({ endpoint }: Route, query: Form, body: Form): readonly string[] | undefined {
  if (!endpoint) return undefined;
  const names = unreadIn(body, 'body', endpoint, unreadIn(query, 'query', endpoint, undefined));
  return names && [...names].slice(0, MAX_NAMES);
}

/** Adds to the names. Nearly every request has none, and then nothing is allocated. */
function unreadIn(
  form: Form,
  place: 'query' | 'body',
  endpoint: Endpoint,
  names: Set<string> | undefined,
): Set<string> | undefined {
  if (form.length === 0) return names;
  for (const name of form.names()) {
    if (name === REFUSED || name === '' || reads(endpoint, place, name)) continue;
    names ??= new Set();
    names.add(name);
  }
  return names;
}
