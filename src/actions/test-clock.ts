import type { Tx } from '../db/database.ts';
import { advanceClock, resetClock, type SandboxClock, showClock } from '../worlds/sandbox/test-clock.ts';
import type { Actor } from './actor.ts';
import { audit } from './audit-log.ts';

export const turnClock = (actor: Actor, partnerId: number, byMs: number): Promise<SandboxClock> =>
  changed(actor, 'sandbox clock advance', partnerId, (tx, now) => advanceClock(tx, partnerId, byMs, now));

export const turnClockBack = (actor: Actor, partnerId: number): Promise<SandboxClock> =>
  changed(actor, 'sandbox clock reset', partnerId, (tx, now) => resetClock(tx, partnerId, now));

function changed(
  { db, clock, who }: Actor,
  what: string,
  partnerId: number,
  work: (tx: Tx, now: number) => Promise<SandboxClock>,
): Promise<SandboxClock> {
  return db.tx(async (tx) => {
    const now = clock.now();
    const before = await showClock(tx, partnerId, now);
    const after = await work(tx, now);
    await audit(tx, { who, what, target: `partner ${partnerId}`, before, after });
    return after;
  });
}
