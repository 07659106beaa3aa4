import type { Dispatcher } from 'undici';
import { type Clock, DAY, SECOND } from '../../../../platform/clock.ts';
import { call, type Failed } from '../../../../platform/http/call.ts';
import { within } from '../deadline.ts';
import { numberOf, objectOf, parseObject, textOf } from '../loose.ts';
import { signedBody } from './signature.ts';

export interface AiraloCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Token {
  readonly value: string;
  readonly fetchedAt: number;
  readonly until: number;
}

export type NoToken = Failed & { readonly sent: false };

/** Airalo issues at most three a minute. */
const BETWEEN_FETCHES_MS = 20 * SECOND;
/** The documents say a day; answers have said a year. */
const LONGEST_MS = DAY;
/** The part of its life in which a token is used. The rest allows for clock skew and calls under way. */
const USED_PART = 0.9;
const FETCH_LIMIT_MS = 10 * SECOND;

export interface TokenParts {
  readonly pool: Dispatcher;
  readonly path: string;
  readonly credentials: AiraloCredentials;
  readonly clock: Clock;
  /** Reports what the operator has to fix. */
  readonly alarm: (reason: string) => void;
}

/** The bearer token that all calls share. */
export function openTokens({ pool, path, credentials, clock, alarm }: TokenParts) {
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
