import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Clock, DAY, SECOND } from '../../../../platform/clock.ts';
import { type Call, type Called, type CallLimits, call, type Failed } from '../../../../platform/http/call.ts';
import { type Deadline, type JsonClient, openCalls, within } from '../connection.ts';
import { numberOf, objectOf, parseObject, textOf } from '../loose.ts';

/**
 * A payload with the signature that Airalo's own SDK computes: over JSON with "/" written as "\/". We send exactly the bytes we
 * signed, so the signature fits whether the receiver checks the raw body or serializes it again.
 */
export function signedBody(payload: object, secret: string): { readonly body: string; readonly signature: string } {
  const body = JSON.stringify(payload).replaceAll('/', '\\/');
  return { body, signature: createHmac('sha512', secret).update(body).digest('hex') };
}

export interface AiraloCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface Token {
  readonly value: string;
  readonly fetchedAt: number;
  readonly until: number;
}

type NoToken = Failed & { readonly sent: false };

/** Airalo issues at most three a minute. */
const BETWEEN_FETCHES_MS = 20 * SECOND;
/** The documents say a day; answers have said a year. */
const LONGEST_MS = DAY;
/** The part of its life in which a token is used. The rest allows for clock skew and calls under way. */
const USED_PART = 0.9;
const FETCH_LIMIT_MS = 10 * SECOND;

interface TokenParts {
  readonly pool: Dispatcher;
  readonly path: string;
  readonly credentials: AiraloCredentials;
  readonly clock: Clock;
  /** Reports what the operator has to fix. */
  readonly alarm: (reason: string) => void;
}

/** The bearer token that all calls share. */
function openTokens({ pool, path, credentials, clock, alarm }: TokenParts) {
  let kept: Token | undefined;
  let fetching: Promise<Token | NoToken> | undefined;
  /** After a refusal no token is requested before `until`: hitting their limit would only prolong the outage. */
  let refused: { readonly until: number; readonly answer: NoToken } | undefined;

  async function fetch(): Promise<Token | NoToken> {
    const { clientId, clientSecret } = credentials;
    const payload = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
    const { body, signature } = signedBody(payload, clientSecret);
    const headers = { accept: 'application/json', 'content-type': 'application/json', 'airalo-signature': signature };
    const called = await call(pool, { method: 'POST', path, headers, body }, FETCH_LIMIT_MS);
    if ('failed' in called) return { failed: `no token: ${called.failed}`, sent: false };
    const now = clock.now();
    const data = objectOf(parseObject(called.text).data);
    const value = textOf(data.access_token);
    if (called.status === 200 && value !== null) {
      const lifeMs = Math.min((numberOf(data.expires_in) ?? 0) * SECOND || LONGEST_MS, LONGEST_MS);
      kept = { value, fetchedAt: now, until: now + lifeMs * USED_PART };
      return kept;
    }
    const answer: NoToken = { failed: `no token: HTTP ${called.status}`, sent: false, answered: true };
    refused = { until: now + BETWEEN_FETCHES_MS, answer };
    if (called.status === 401 || called.status === 422) alarm('the client id or secret is refused');
    return answer;
  }

  return {
    async get(limitMs: number): Promise<Token | NoToken> {
      const now = clock.now();
      if (kept && now < kept.until) return kept;
      if (refused && now < refused.until) return refused.answer;
      fetching ??= fetch().finally(() => {
        fetching = undefined;
      });
      return within(fetching, limitMs, { failed: 'no token: time-out', sent: false } as const);
    },
    /** Airalo rejected this token. False: it is so new that fetching another would not help. */
    drop(token: Token): boolean {
      if (clock.now() < token.fetchedAt + BETWEEN_FETCHES_MS) return false;
      if (kept === token) kept = undefined;
      return true;
    },
  };
}

interface ClientParts {
  readonly url: URL;
  readonly credentials: AiraloCredentials;
  readonly clock: Clock;
  readonly alarm: (reason: string) => void;
  /** Calls, those for a token not counted; undefined: any number. */
  readonly perSecond?: number | undefined;
}

/** Every call uses the shared token, and is repeated once with a new one if Airalo rejects that. */
export function openClient({ url, credentials, clock, alarm, perSecond }: ClientParts): JsonClient {
  const { send, base, pool, close } = openCalls({ url, perSecond });
  const tokens = openTokens({ pool, path: `${base}/v2/token`, credentials, clock, alarm });

  async function authorized(request: Call, deadline: Deadline, limits?: CallLimits): Promise<Called> {
    for (let again = true; ; again = false) {
      const token = await tokens.get(deadline.leftMs());
      if ('failed' in token) return token;
      const headers = { ...request.headers, authorization: `Bearer ${token.value}` };
      const called = await send({ ...request, path: `/v2${request.path}`, headers }, deadline, limits);
      // A rejected token means the request was not carried out, so it may be sent again.
      if ('failed' in called || called.status !== 401 || !again || !tokens.drop(token)) return called;
    }
  }

  return {
    get: (path, deadline, limits) =>
      authorized({ method: 'GET', path, headers: { 'accept-language': 'en' } }, deadline, limits),
    post(path, payload, deadline) {
      const { body, signature } = signedBody(payload, credentials.clientSecret);
      return authorized({ method: 'POST', path, headers: { 'airalo-signature': signature }, body }, deadline);
    },
    close,
  };
}
