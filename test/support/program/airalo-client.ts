import { createHmac } from 'node:crypto';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { type Answer, record, type TestApp } from './app.ts';
import { run } from './operator.ts';

/** What software made for Airalo knows of its account. */
export interface Credentials {
  readonly keyId: number;
  readonly mode: Mode;
  readonly clientId: string;
  readonly clientSecret: string;
}

export async function airaloKey(t: TestApp, partnerId: number, mode: Mode, options = ''): Promise<Credentials> {
  const made = await run(t.operator(), `key create --partner ${partnerId} --mode ${mode} --airalo${options}`);
  record('secrets', `${made.client_secret}\n`);
  return { keyId: made.key_id, mode, clientId: made.client_id, clientSecret: made.client_secret };
}

/** As PHP writes JSON, but for other letters. */
export const phpText = (payload: unknown): string => JSON.stringify(payload).replaceAll('/', '\\/');
export const signed = (secret: string, text: string): string => createHmac('sha512', secret).update(text).digest('hex');

interface Request {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly host?: Mode | 'legacy';
}

/** Calls the door with a token, as Airalo's documents say. */
export function doorClient(t: TestApp, { mode, clientId, clientSecret }: Credentials) {
  let token: string | undefined;
  const ask = (path: string, { headers = {}, ...request }: Request = {}): Promise<Answer> =>
    t.ask(`/v3/airalo/v2${path}`, { host: mode, ...request, headers });
  const askToken = (payload: Record<string, unknown>, headers: Record<string, string> = {}) =>
    ask('/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(payload),
    });
  const tokenRequest = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const withToken = async (path: string, request: Request = {}) => {
    token ??= (await askToken(tokenRequest)).body.data.access_token as string;
    record('secrets', `${token}\n`);
    return ask(path, { ...request, headers: { authorization: `Bearer ${token}`, ...request.headers } });
  };
  return {
    tokenRequest,
    ask,
    askToken,
    /** Forgets the token it has. */
    signOut() {
      token = undefined;
    },
    get: (path: string, request: Request = {}) => withToken(path, request),
    post: (path: string, payload: Record<string, unknown>, request: Request = {}) =>
      withToken(path, {
        method: 'POST',
        body: JSON.stringify(payload),
        ...request,
        headers: { 'content-type': 'application/json', ...request.headers },
      }),
    form: (path: string, fields: Record<string, string>) =>
      withToken(path, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
  };
}
