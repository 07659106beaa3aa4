import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { sql } from '../../../src/platform/db/query/sql.ts';
import type { Answer, Ask, TestApp } from '../program/app.ts';
import { type Browser, browser } from '../program/panel.ts';

/** One action that can succeed, and what must have happened after it, once. */
export interface Wish {
  readonly who: Browser;
  /** The address, filled in. */
  readonly path: string;
  readonly body?: object;
  /** For an endpoint of the API: its form. */
  readonly form?: Readonly<Record<string, string>>;
  /** How many entries of the audit log it leaves; 1 unless it says otherwise. */
  readonly entries?: number;
  /** How many movements of money it makes. */
  readonly movements?: number;
  /** Its answer contains a secret: one request gets it, and the others learn that it was shown. */
  readonly isShownOnce?: true;
  /** More that must hold: counted before and after, it may differ by one. */
  readonly count?: () => Promise<number>;
}

const sent = (by: Browser, { path, body, form }: Wish, key: string): Promise<Answer> => {
  const more: Ask = { headers: { 'idempotency-key': key } };
  if (!form) return by.post(path, body, more);
  const [, mode = '', below = ''] = /^\/api\/(\w+)\/v3(.*)$/.exec(path) ?? [];
  return by.v3(mode as 'live', below, form, more);
};

/**
 * Posts the same change to two processes at once and then once more: one effect, and one answer for all of them. No secret is stored
 * with it.
 */
export async function twice(t: TestApp, other: TestApp, wish: Wish): Promise<Answer> {
  const elsewhere = Object.assign(browser(other), { cookie: wish.who.cookie });
  const before = await effects(t, wish);
  const key = randomUUID();
  const both = await Promise.all([sent(wish.who, wish, key), sent(elsewhere, wish, key)]);
  const [first, second] = both[0].status === 200 ? both : both.toReversed();
  assert.equal(first?.status, 200, `${wish.path}: ${first?.text}`);
  for (const repeat of [second, await sent(wish.who, wish, key)])
    if (wish.isShownOnce) assert.deepEqual([repeat?.status, repeat?.body.error.code], [409, 'shown_once'], wish.path);
    else assert.deepEqual([repeat?.status, repeat?.text], [first.status, first.text], wish.path);
  for (const { sealed } of await t.base.db.query<{ sealed: Buffer }>(
    sql`select sealed from action_keys where key = ${key}`,
  ))
    assert.doesNotMatch(keptText(t, sealed), SECRET, wish.path);
  const after = await effects(t, wish);
  const { entries = 1, movements = 0, count } = wish;
  assert.deepEqual(
    {
      entries: after.entries - before.entries,
      movements: after.movements - before.movements,
      counted: after.counted - before.counted,
    },
    { entries, movements, counted: count ? 1 : 0 },
    wish.path,
  );
  return first;
}

/** API keys, tokens of links and sessions, signing secrets, keys and recovery codes of second factors, activation data, payments. */
const SECRET =
  /esk_(test_)?[0-9a-f]{40}|wf[lsovt]_[\w-]{20}|whsec_\w{8}|\b[A-Z2-7]{32}\b|\b[A-Z2-7]{4}(-[A-Z2-7]{4}){3}\b|LPA:|"client_secret"/;

/** What is stored of an answer or of a step. The secret of a probe signed that one request, and nothing else. */
export const keptText = (t: TestApp, sealed: Buffer): string =>
  Buffer.from(t.base.vault.open(sealed), 'base64')
    .toString('latin1')
    .replaceAll('\0', '')
    .replace(/"probe_secret":"[^"]+"/, '');

async function effects(t: TestApp, { count }: Wish) {
  const found = await t.base.db.one<{ entries: number; movements: number }>(sql`
    select (select count(*)::int from shared.audit_log) as entries,
      (select count(*)::int from live.movements) + (select count(*)::int from sandbox.movements) as movements`);
  return { ...found, counted: (await count?.()) ?? 0 };
}

/** The same key with something else is refused, and so is a change without one. */
export async function refusedWithoutKey(wish: Wish): Promise<void> {
  const { path, who, body } = wish;
  const answer = await who.post(path, body, { headers: { 'idempotency-key': '' } });
  assert.deepEqual([answer.status, answer.body.error.code], [400, 'action_key_required'], path);
}
