import { randomUUID } from 'node:crypto';
import { startPerson } from '../../../src/domains/partners/people/members.ts';
import { memberAccess, members, type Role } from '../../../src/domains/partners/people/people.ts';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { type Answer, type Ask, record, type TestApp } from './app.ts';
import { run } from './operator.ts';

export const ORIGIN = 'http://panel.test';
export const PASSWORD = 'correct horse battery';

/** A browser at the panel: sends its cookie, says where it comes from, and has a new key for each change unless the test names one. */
export interface Browser {
  /** As it is sent; '' when there is none. */
  cookie: string;
  get(path: string, ask?: Ask): Promise<Answer>;
  /** With a JSON body. */
  post(path: string, body?: object, ask?: Ask): Promise<Answer>;
  /** An endpoint of the API through the session: get without a form, post with one. */
  v3(mode: Mode, path: string, form?: Record<string, string>, ask?: Ask): Promise<Answer>;
}

export function browser(t: TestApp): Browser {
  const ask = async (path: string, { headers, ...more }: Ask): Promise<Answer> => {
    const cookie = self.cookie === '' ? {} : { cookie: self.cookie };
    const key = more.method === 'POST' ? { 'idempotency-key': randomUUID() } : {};
    const sent = { origin: ORIGIN, ...cookie, ...key, ...headers };
    const answer = await t.ask(path, { host: 'panel', ...more, headers: sent });
    const set = answer.headers['set-cookie'];
    const opened = set === undefined ? undefined : String(set).split(';')[0];
    if (opened !== undefined) self.cookie = opened;
    for (const secret of [opened?.split('=')[1], answer.body?.secret, answer.body?.link?.split('#')[1]])
      if (secret) record('secrets', `${secret}\n`);
    return answer;
  };
  const self: Browser = {
    cookie: '',
    get: (path, more = {}) => ask(path, more),
    post: (path, body = {}, more = {}) =>
      ask(path, {
        method: 'POST',
        body: JSON.stringify(body),
        ...more,
        headers: { 'content-type': 'application/json', ...more.headers },
      }),
    v3: (mode, path, form, more = {}) =>
      ask(`/api/${mode}/v3${path}`, {
        ...(form && { method: 'POST', body: new URLSearchParams(form).toString() }),
        ...more,
        ...(form && { headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers } }),
      }),
  };
  return self;
}

let people = 0;
export const someEmail = (): string => `person${++people}@example.com`;

/** Has the form of a hash, and no password matches it: hashing one would take most of a test's time. */
const NO_PASSWORD = `scrypt$15$8$3$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** A new owner of the partner who is signed in, without a password. */
export const signedIn = (t: TestApp, partnerId: number, email = someEmail()): Promise<Browser> =>
  signedInAs(t, partnerId, 'owner', email);

export async function signedInAs(t: TestApp, partnerId: number, role: Role, email = someEmail()): Promise<Browser> {
  const token = await t.base.db.tx(async (tx) => {
    const { memberId } = await members.create(tx, { partnerId, email, role }, t.clock.now());
    await startPerson(tx, memberId, NO_PASSWORD);
    return memberAccess.sessions.open(tx, memberId, t.clock.now());
  });
  record('secrets', `${token}\n`);
  return Object.assign(browser(t), { cookie: `wayfare_session=${token}` });
}

/** The token of a new one-time link. */
export async function linkFor(t: TestApp, partnerId: number, email: string): Promise<string> {
  const { link } = await run(t.operator(), ['member', 'invite', '--partner', String(partnerId), '--email', email]);
  return link.split('#')[1];
}

/** A new member who has accepted the invitation and signed in with `PASSWORD`. */
export async function accepted(
  t: TestApp,
  partnerId: number,
  email = someEmail(),
): Promise<Browser & { email: string }> {
  record('secrets', `${PASSWORD}\n`);
  const ana = browser(t);
  await ana.post('/api/welcome', { token: await linkFor(t, partnerId, email), password: PASSWORD });
  return Object.assign(ana, { email });
}
