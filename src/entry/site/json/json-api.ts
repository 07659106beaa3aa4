import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import { FRESH_MS } from '../../../domains/partners/people/people.ts';
import { type Kept, once, requireActionKey, type Steps } from '../../../platform/audit/action-keys.ts';
import { tiers } from '../../../platform/contract/key-terms.ts';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { networksOf } from '../../../platform/http/address-list.ts';
import { acceptEncodingOf, acceptedEncoding, compress } from '../../../platform/http/compression.ts';
import { Form, Undecodable } from '../../../platform/http/form.ts';
import { splitTarget } from '../../../platform/http/target.ts';
import { fairTurns } from '../../../platform/limits/fair-turns.ts';
import type { QuotaId, RateLimiter } from '../../../platform/limits/rate-limit.ts';
import type { Base } from '../../../worlds/base.ts';
import { Malformed, page, type SiteReply, type SiteRequest, type SiteRoute } from '../routes.ts';
import type { BytesFile, Call, Done, JsonAction, OpenAction, SignedInAction } from './action.ts';
import { requireSameOrigin, type SessionCookie } from './browser.ts';
import { Downloads } from './csv.ts';
import { JSON_TYPE, NOT_KEPT, refusal } from './refusals.ts';

interface JsonApiParts {
  readonly base: Base;
  readonly clientAddress: (request: SiteRequest['request']) => string;
  readonly limiter: RateLimiter;
}

/** Who signs in at a set of addresses: the members of partners, or operators. */
export interface Audience<C extends Call, P> {
  readonly cookie: SessionCookie;
  /** The call as that of somebody signed in; undefined when its session is not valid. */
  signedIn(call: Call): Promise<C | undefined>;
  /** Throws the refusal if the person may not do this: because of their role, or of how they are signed in. */
  requireAllowed(call: C, action: SignedInAction<C, P>): void;
  /** The part of an answer that this person sees, if not all of it. */
  shown?(call: C, action: SignedInAction<C, P>, done: Done): Done;
  /** When the password, and the second factor if there is one, was last given. */
  confirmedAt(call: C): Date | null;
  /** Whose requests are counted together, and whose keys must differ. */
  quota(call: C): QuotaId;
  /** The same call, whose changes are the steps of an action with a key. */
  inSteps(call: C, steps: Steps): C;
  /** Answers are kept under their key forever, not for a day. */
  isMoney(may: P): boolean;
  /** Whose downloads are counted together. */
  account(call: C): string;
}

interface Said {
  readonly text: string;
  readonly cookie: string | undefined;
  readonly kept: Kept;
}

const MAX_BODY_BYTES = 16 * 1024;
/** Requests to one address that is open to anyone, at the same time. More than the hashing queue takes, so members rarely meet it. */
const OPEN = { atOnce: 96, maxWaiting: 64, mostOfOne: 8 };
const BUSY_RETRY_SECONDS = 5;

const load = createRequire(import.meta.url);
/** Loaded with the first body: it is 250 files, and many processes get none. */
const schemas = (): typeof import('typebox/schema') => load('typebox/schema');

/** What every request to a JSON API goes through, in this order: origin, session, role, body, fresh confirmation, key, rate limit (before the body if that may be large), the action. Refusals are answered here. */
export class JsonApi<C extends Call, P> {
  readonly #parts: JsonApiParts;
  readonly #audience: Audience<C, P>;
  readonly #downloads = new Downloads();

  constructor(parts: JsonApiParts, audience: Audience<C, P>) {
    this.#parts = parts;
    this.#audience = audience;
  }

  routes(actions: readonly (SignedInAction<C, P> | OpenAction)[]): SiteRoute[] {
    return actions.map((action) => {
      const { verb, path } = action;
      const turn = fairTurns(OPEN, () => new TooManyAttempts(BUSY_RETRY_SECONDS));
      // The body is received before the session is looked up: a request whose body arrives slowly must not run after its session has ended.
      const handle = this.#guarded(async (call, incoming) => {
        const sent = action.body && (await incoming.body(action.maxBytes ?? MAX_BODY_BYTES));
        if (!action.signedIn) {
          const body = requireBody(action, incoming, sent);
          const networks = networksOf(call.address).map(({ name }) => name);
          return this.#reply(this.#said(await turn({ networks }, () => action.handle(call, body))));
        }
        const known = await this.#requireSession(call);
        this.#audience.requireAllowed(known, action);
        // A large body takes milliseconds to parse, so it counts even if it turns out to be wrong.
        const isLarge = action.maxBytes !== undefined;
        if (isLarge) await this.#requireWithinLimit(action, known);
        const body = requireBody(action as JsonAction, incoming, sent);
        if (action.fresh) requireFresh(this.#audience.confirmedAt(known), call.now);
        const key = verb === 'GET' || action.keyless ? undefined : keyOf(incoming);
        if (!isLarge) await this.#requireWithinLimit(action, known);
        if (key !== undefined) {
          const asks = { key, action: `${verb} ${path}`, args: { ...call.params, body }, may: action.may };
          const work = async (mine: C) => this.#said(await action.handle(mine, body));
          return this.#reply(await this.once({ ...known, key }, asks, work, ({ kept }) => kept));
        }
        const whole = await action.handle(known, body);
        const done = this.#audience.shown?.(known, action, whole) ?? whole;
        if ('bytes' in done) return this.#file(done);
        return 'rows' in done
          ? this.#downloads.reply(done, this.#audience.account(known))
          : this.#reply(this.#said(done));
      });
      return { verb, path, handle: this.#logged(path, handle) };
    });
  }

  /** Logs the route, not the path as sent, which may hold secrets. */
  #logged(path: string, handle: SiteRoute['handle']): SiteRoute['handle'] {
    const { clock, log } = this.#parts.base;
    return async (incoming) => {
      const began = clock.now();
      const reply = await handle(incoming);
      const { method } = incoming.request;
      log.info({ host: 'panel', method, path, status: reply.status, ms: clock.now() - began }, 'request');
      return reply;
    };
  }

  /** Handles the request of somebody signed in with `work`. */
  forSignedIn(work: (call: C, incoming: SiteRequest) => Promise<SiteReply>): SiteRoute['handle'] {
    return this.#guarded(async (call, incoming) => work(await this.#requireSession(call), incoming));
  }

  /** Runs the work once for each key, and answers the same each time. The rate limit comes first: a repeat may have to wait. */
  once<T>(
    call: C,
    { may, ...request }: { readonly key: string; readonly action: string; readonly args: object; readonly may: P },
    work: (call: C) => Promise<T>,
    keep?: (answer: T) => Kept,
  ): Promise<T> {
    const scope = String(this.#audience.quota(call));
    const isMoney = this.#audience.isMoney(may);
    const run = (steps: Steps) => work(this.#audience.inSteps(call, steps));
    return once(this.#parts.base, { ...request, scope, isMoney }, run, keep);
  }

  async #requireSession(call: Call): Promise<C> {
    const known = await this.#audience.signedIn(call);
    if (!known) throw new Refused('sign_in_required');
    return known;
  }

  async #requireWithinLimit({ verb, tier = 'money' }: SignedInAction<C, P>, call: C): Promise<void> {
    if (verb === 'GET' || tier === 'none') return;
    const verdict = await this.#parts.limiter.take(this.#audience.quota(call), tier, tiers[tier], call.now);
    if (!verdict.admitted) throw new TooManyAttempts(verdict.retryAfterSeconds);
  }

  #guarded(work: (call: Call, incoming: SiteRequest) => Promise<SiteReply>): SiteRoute['handle'] {
    const { clock, config, log } = this.#parts.base;
    return async (incoming) => {
      const { request, params } = incoming;
      try {
        requireSameOrigin(request, config.panelUrl);
        const token = this.#audience.cookie.read(request.headers.cookie);
        const call = {
          params,
          query: queryOf(request),
          token,
          address: this.#parts.clientAddress(request),
          userAgent: request.headers['user-agent'] ?? '',
          cookie: (of: SessionCookie) => of.read(request.headers.cookie),
          isChange: request.method !== 'GET' && request.method !== 'HEAD',
          now: clock.now(),
        };
        return await compressed(request, await work(call, incoming));
      } catch (error) {
        return refusal(error, log);
      }
    };
  }

  /** The answer as it is sent, and kept under a key. */
  #said(done: Done): Said {
    if ('rows' in done || 'bytes' in done) throw new Error('a file is no answer to a change');
    const { body, session, kept = 'answer' } = done;
    const { cookie: ours } = this.#audience;
    const cookie = session && (session === 'ended' ? ours.cleared : (session.cookie ?? ours).set(session.opened));
    return { text: JSON.stringify(body), cookie, kept };
  }

  #file({ fileName, type, bytes }: BytesFile): SiteReply {
    const headers = { ...NOT_KEPT, 'content-disposition': `attachment; filename="${fileName}"` };
    return page(200, type, Buffer.from(bytes), headers);
  }

  #reply({ text, cookie }: Said): SiteReply {
    return page(200, JSON_TYPE, text, { ...NOT_KEPT, ...(cookie && { 'set-cookie': cookie }) });
  }
}

export const keyOf = ({ headers }: Pick<SiteRequest, 'headers'>): string =>
  requireActionKey(headers['idempotency-key']);

function queryOf({ url = '/' }: SiteRequest['request']): Call['query'] {
  let form: Form | undefined;
  return (name) => {
    try {
      form ??= new Form(splitTarget(url).query);
    } catch (error) {
      throw error instanceof Undecodable ? new Malformed() : error;
    }
    const value = form.get(name) ?? '';
    if (typeof value !== 'string') throw new Malformed();
    return value;
  };
}

/** Before what somebody at an unlocked screen must not be able to do. */
function requireFresh(confirmedAt: Date | null, now: number): void {
  if (confirmedAt === null || confirmedAt.getTime() <= now - FRESH_MS) throw new Refused('confirmation_required');
}

function requireBody({ body: schema }: JsonAction, { headers }: SiteRequest, sent: Buffer | undefined): unknown {
  if (!schema || !sent) return undefined;
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '')) throw new Malformed();
  const given = parsed(sent.toString('utf8'));
  if (!schemas().Check(schema, given)) throw new Refused('invalid_input', 'a field is missing or has the wrong type');
  return given;
}

function parsed(text: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Malformed();
  }
  if (!isStorable(given)) throw new Malformed();
  return given;
}

/**
 * PostgreSQL keeps neither NUL nor half a character, which JSON can spell. All names and texts are checked in a loop: a function
 * given to `JSON.parse` for it takes five times as long, and recursion ends where nesting is deep.
 */
function isStorable(given: unknown): boolean {
  const left = [given];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) return false;
    } else if (Array.isArray(value)) for (const part of value) left.push(part);
    else if (typeof value === 'object' && value !== null)
      for (const [name, part] of Object.entries(value)) left.push(name, part);
  }
  return true;
}

/** Shorter answers fit into one packet as they are. */
const WORTH_COMPRESSING_BYTES = 1024;

/**
 * The answer, compressed if that saves something. The length of a compressed answer can reveal a secret in it to an attacker who
 * controls another part of it and observes the connection (BREACH). So answers to changes, which return keys, links and the
 * request's input, stay plain, and so do answers to cross-site requests; those carry no session anyway, because the cookie is
 * SameSite=Strict.
 */
async function compressed(request: IncomingMessage, reply: SiteReply): Promise<SiteReply> {
  const { body, headers = {} } = reply;
  const site = request.headers['sec-fetch-site'];
  if (request.method !== 'GET' || (site !== undefined && site !== 'same-origin')) return reply;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return reply;
  if (body.length < WORTH_COMPRESSING_BYTES || headers['content-encoding']) return reply;
  const encoding = acceptedEncoding(acceptEncodingOf(request));
  if (encoding === undefined) return reply;
  const bytes = await compress[encoding](typeof body === 'string' ? Buffer.from(body) : body);
  return { ...reply, body: bytes, headers: { ...headers, 'content-encoding': encoding, vary: 'accept-encoding' } };
}
