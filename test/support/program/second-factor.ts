import assert from 'node:assert/strict';
import { stepAt, totpCode } from '../../../src/domains/partners/people/second-factor.ts';
import { record, type TestApp } from './app.ts';
import type { Browser } from './panel.ts';

interface Authenticator {
  /** A code that was not used yet: time goes on by a step first. */
  code(): string;
  readonly recoveryCodes: readonly string[];
}

/** Sets up the second factor of a person who has just signed in. */
export async function withSecondFactor(
  t: TestApp,
  ana: Browser,
  api: '/api' | '/operator/api' = '/api',
): Promise<Authenticator> {
  const { key } = (await ana.post(`${api}/second-factor/start`)).body;
  record('secrets', `${key}\n`);
  const code = () => {
    t.clock.advance(30_000);
    return totpCode(key, stepAt(t.clock.now()));
  };
  const { status, body, text } = await ana.post(`${api}/second-factor/turn-on`, { code: code() });
  assert.equal(status, 200, text);
  for (const one of body.recovery_codes) record('secrets', `${one}\n`);
  return { code, recoveryCodes: body.recovery_codes };
}
