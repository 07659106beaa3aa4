import { requireOpenPartner } from '../domains/partners/accounts/accounts.ts';
import { amend } from '../platform/audit/audit-log.ts';
import type { AuditKind } from '../platform/audit/sentences.ts';
import type { Tx } from '../platform/db/database.ts';
import { advanceClock, resetClock, type SandboxClock, showClock } from '../worlds/sandbox/test-clock.ts';
import type { Actor } from './actor.ts';

export const turnClock = (actor: Actor, partnerId: number, byMs: number): Promise<SandboxClock> =>
  changed(actor, 'sandbox clock advance', partnerId, (tx, now) => advanceClock(tx, partnerId, byMs, now));

export const turnClockBack = (actor: Actor, partnerId: number): Promise<SandboxClock> =>
  changed(actor, 'sandbox clock reset', partnerId, (tx, now) => resetClock(tx, partnerId, now));

function changed(
  actor: Actor,
  what: AuditKind,
  partnerId: number,
  work: (tx: Tx, now: number) => Promise<SandboxClock>,
): Promise<SandboxClock> {
  const now = actor.clock.now();
  const show = async (tx: Tx) => {
    await requireOpenPartner(tx, partnerId);
    return showClock(tx, partnerId, now);
  };
  return amend(actor, what, `partner ${partnerId}`, show, (tx) => work(tx, now));
}
