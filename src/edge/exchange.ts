import type { IncomingMessage } from 'node:http';
import { type Caller, claimedMode } from '../accounts/accounts.ts';
import { type Livemode, livemodeOf, sandboxMark } from './envelope.ts';
import { decodePath, Form, Undecodable } from './form.ts';
import type { Host } from './hosts.ts';
import type { Verdict } from './rate-limit.ts';
import type { Route } from './route.ts';

/** One request on its way through the gates; each gate fills in what it found out. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly host: Host;
  readonly method: string;
  readonly apiKey: string;
  readonly now: number;
  private readonly queryText: string;
  readonly path: string;
  query: Form = NO_FIELDS;
  body: Form = NO_FIELDS;
  route: Route = NO_ROUTE;
  caller: Caller | undefined;
  verdict: Verdict | undefined;

  constructor(request: IncomingMessage, host: Host, path: string, queryText: string, now: number) {
    this.request = request;
    this.host = host;
    this.method = request.method ?? 'GET';
    const header = request.headers['x-api-key'];
    this.apiKey = typeof header === 'string' ? header.trim() : '';
    this.path = path;
    this.queryText = queryText;
    this.now = now;
  }

  /** The path and the query; throws `Undecodable`. */
  decodeUrl(): void {
    if (this.path.length + this.queryText.length > MAX_URL) throw new Undecodable();
    decodePath(this.path);
    if (this.queryText !== '') this.query = new Form(this.queryText);
    if (this.route.param !== '') this.route = { ...this.route, param: decodePath(this.route.param) };
  }

  /** The sandbox host always says so, whatever went wrong; on the legacy host the key that was sent decides. */
  get livemode(): Livemode {
    const keyDecides = this.host.environment === 'legacy' && claimedMode(this.apiKey) === 'sandbox';
    return keyDecides ? sandboxMark : livemodeOf(this.host);
  }
}

const MAX_URL = 8 * 1024;
const NO_FIELDS = new Form('');
const NO_ROUTE: Route = { endpoint: undefined, param: '', problem: 'unknown_endpoint' };
