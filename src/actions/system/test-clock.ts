import { requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { amend } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import type { Tx } from '../../platform/db/database.ts';
import { advanceClock, resetClock, type SandboxClock, showClock } from '../../worlds/sandbox/test-clock.ts';
import { action } from '../action.ts';
import type { Actor } from '../actor.ts';
import { duration, integer, required } from '../fields.ts';

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

const partner = required(integer('PARTNER_ID', 'the partner'));

export const sandboxActions = [
  action({
    name: 'sandbox clock advance',
    console: { may: 'support' },
    summary: "Move the clock of a partner's sandbox forward, so that deferred orders, expiries and retries fall due",
    options: { partner, by: required(duration('how far, e.g. 90s, 15m, 2h or 3d; at most two years ahead in total')) },
    run: (context, input) => turnClock(context, input.partner, input.by),
  }),
  action({
    name: 'sandbox clock reset',
    console: { may: 'support' },
    summary: "Set the clock of a partner's sandbox back to real time",
    options: { partner },
    run: (context, input) => turnClockBack(context, input.partner),
  }),
  action({
    name: 'sandbox clock show',
    console: 'shown',
    summary: "Show the time in a partner's sandbox",
    options: { partner },
    run: ({ db, clock }, input) => showClock(db, input.partner, clock.now()),
  }),
];
