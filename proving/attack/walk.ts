import assert from 'node:assert/strict';
import { DAY, MINUTE, SECOND } from '../../src/platform/clock.ts';
import { raw, sql } from '../../src/platform/db/query/sql.ts';
import type { Answer } from '../../test/support/program/app.ts';
import { browser } from '../../test/support/program/panel.ts';
import { until } from '../../test/support/servers/receiver.ts';
import type { Address } from './addresses.ts';
import { everIssued, type Kind, secretsIn } from './secrets.ts';
import type { AttackStage } from './stage.ts';
import type { Things } from './things.ts';

/** A kind of secret, or an address of their own that something is sent to. */
export type Reached = Kind | 'events at their address' | `mailed link: ${string}`;

/** What a person obtained by requesting everything once, and which address revealed it. */
export interface Reach {
  readonly kinds: ReadonlyMap<Reached, ReadonlySet<string>>;
  /** Every answer, and every mail and event that reached them. */
  readonly texts: readonly string[];
  /** How many requests were made, and how many were not refused. */
  readonly requests: number;
  readonly answered: number;
}

const OFTEN_ENOUGH_MS = 2.5 * SECOND;

/** Requests every address with one cookie: first all changes, then all reads. */
export async function walk(
  stage: AttackStage,
  things: Things,
  cookie: string,
  addresses: readonly Address[],
): Promise<Reach> {
  const { t } = stage;
  const seen: { readonly way: string; readonly text: string }[] = [];
  await things.begin();
  things.takeMailboxes();
  let answered = 0;
  // The attacker knows their own password.
  const confirmed = new Date(t.clock.now() + DAY);
  for (const sessions of ['sessions', 'staff_sessions'].map(raw))
    await t.base.db.run(sql`update ${sessions} set confirmed_at = ${confirmed}`);
  const ask = async (address: Address): Promise<Answer> => {
    t.clock.advance(OFTEN_ENOUGH_MS);
    return address.ask(Object.assign(browser(t), { cookie }));
  };
  for (const address of addresses.toSorted((a, b) => (a.verb === b.verb ? 0 : a.verb === 'POST' ? -1 : 1))) {
    let answer = await ask(address);
    if (answer.status === 429) {
      t.clock.advance(MINUTE);
      answer = await ask(address);
    }
    assert.ok(answer.status < 500 && answer.status !== 429, `${address.name}: ${answer.status} ${answer.text}`);
    if (answer.status < 400) answered += 1;
    seen.push({ way: address.name, text: `${answer.text}\n${answer.headers['set-cookie'] ?? ''}` });
  }
  // The next sales send events to every receiver.
  const delivered = stage.hook.received.length + things.theirs.received.length;
  await stage.sell();
  await arrived(stage, things, delivered);
  const kinds = new Map<Reached, Set<string>>();
  const note = (kind: Reached, way: string) => kinds.set(kind, (kinds.get(kind) ?? new Set()).add(way));
  const { pathname } = new URL(things.receiver());
  for (const { path, body } of things.theirs.received) {
    if (!path.startsWith(`${pathname}/`)) continue;
    note('events at their address', path);
    seen.push({ way: 'an event they receive', text: body });
  }
  for (const [address, kind] of things.takeMailboxes())
    for (const text of await stage.mailsTo(address)) {
      if (text.includes('#wfl_')) note(`mailed link: ${kind}`, 'a mail to them');
      seen.push({ way: 'mail', text });
    }
  const issued = await everIssued(t);
  for (const { way, text } of seen) if (way !== 'mail') for (const kind of secretsIn(text, issued)) note(kind, way);
  return { kinds, texts: seen.map(({ text }) => text), requests: addresses.length, answered };
}

/** Both worlds have sent their events: two orders, each paid and delivered, to at least one receiver each. */
async function arrived({ hook }: AttackStage, { theirs }: Things, before: number): Promise<void> {
  await until(
    () => hook.received.length + theirs.received.length >= before + 4,
    () => 'the events were not sent',
  );
}
