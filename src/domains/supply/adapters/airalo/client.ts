import type { Clock } from '../../../../platform/clock.ts';
import type { Call, Called, CallLimits } from '../../../../platform/http/call.ts';
import { type JsonClient, openCalls } from '../connection.ts';
import type { Deadline } from '../deadline.ts';
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
