import type { Clock } from '../../../../platform/clock.ts';
import { type Call, type Called, type CallLimits, call } from '../../../../platform/http/call.ts';
import { basePathOf, type JsonClient, noTurn, openPool } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
import { throttle } from '../throttle.ts';
import { signedBody } from './signature.ts';
import { type AiraloCredentials, openTokens } from './token.ts';

export interface ClientParts {
  readonly url: URL;
  readonly credentials: AiraloCredentials;
  readonly clock: Clock;
  readonly alarm: (reason: string) => void;
  /** Calls, those for a token not counted; undefined: any number. */
  readonly perSecond?: number | undefined;
}

/** Every call uses the shared token, and is repeated once with a new one if Airalo rejects that. */
export function openClient({ url, credentials, clock, alarm, perSecond }: ClientParts): JsonClient {
  const base = `${basePathOf(url)}/v2`;
  const pool = openPool(url);
  const nextTurn = perSecond === undefined ? undefined : throttle(perSecond);
  const tokens = openTokens({ pool, path: `${base}/token`, credentials, clock, alarm });

  async function authorized(request: Call, deadline: Deadline, limits?: CallLimits): Promise<Called> {
    for (let again = true; ; again = false) {
      const token = await tokens.get(deadline.leftMs());
      if ('failed' in token) return token;
      if (nextTurn && !(await nextTurn(deadline.leftMs()))) return noTurn;
      if (deadline.leftMs() === 0) return { failed: 'time-out', sent: false };
      const headers = { accept: 'application/json', ...request.headers, authorization: `Bearer ${token.value}` };
      const called = await call(pool, { ...request, headers }, deadline.leftMs(), limits);
      // A rejected token means the request was not carried out, so it may be sent again.
      if ('failed' in called || called.status !== 401 || !again || !tokens.drop(token)) return called;
    }
  }

  return {
    get: (path, deadline, limits) =>
      authorized({ method: 'GET', path: `${base}${path}`, headers: { 'accept-language': 'en' } }, deadline, limits),
    post(path, payload, deadline) {
      const { body, signature } = signedBody(payload, credentials.clientSecret);
      const headers = { 'content-type': 'application/json', 'airalo-signature': signature };
      return authorized({ method: 'POST', path: `${base}${path}`, headers, body }, deadline);
    },
    close: () => pool.destroy(),
  };
}
