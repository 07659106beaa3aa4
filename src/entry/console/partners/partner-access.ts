import { findPartner } from '../../../domains/partners/accounts/accounts.ts';
import { type ApiKey, latestKeys } from '../../../domains/partners/keys/keys.ts';
import { members, partnerViews } from '../../../domains/partners/people/people.ts';
import { change } from '../../../platform/audit/audit-log.ts';
import { SECOND } from '../../../platform/clock.ts';
import type { Base } from '../../../worlds/base.ts';
import { showClock } from '../../../worlds/sandbox/test-clock.ts';
import { idOf } from '../../site/json/action.ts';
import { memberCookie } from '../../site/json/cookie.ts';
import { clockView, keyViews, memberView } from '../../site/views/records.ts';
import { type OperatorAction, type OperatorCall, operatorChange, operatorRead } from '../action.ts';

/** Who and what gets in for a partner, and the clock of its sandbox. Keys are shown by their last four characters only. */
export const partnerAccessActions: readonly OperatorAction[] = [
  operatorRead('/operator/api/partners/{id}/keys', async (call) => ({ keys: await keysOf(call) })),
  operatorRead('/operator/api/partners/{id}/members', async (call) => ({ members: await membersOf(call) })),
  operatorRead('/operator/api/partners/{id}/clock', async (call) => {
    const { ahead_seconds } = await showClock(call.context.db, idOf(call), call.now);
    return { test_clock: clockView(ahead_seconds * SECOND, call.now) };
  }),
];

async function keysOf(call: OperatorCall) {
  const { db } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const keys = await latestKeys(db, partnerId);
  const { ahead_seconds } = await showClock(db, partnerId, call.now);
  const views = await keyViews(call.context, keys, { now: call.now, aheadMs: ahead_seconds * SECOND });
  return views.map((view, i) => ({ ...view, tier_ceilings: (keys[i] as ApiKey).tierCeilings }));
}

async function membersOf(call: OperatorCall) {
  const { db } = call.context;
  const { partnerId } = await findPartner(db, idOf(call));
  const guarded = new Set(await members.withSecondFactor(db, partnerId));
  return (await members.list(db, partnerId)).map((member) => ({
    ...memberView(member),
    second_factor: guarded.has(member.memberId),
  }));
}

export type PartnerKeyView = Awaited<ReturnType<typeof keysOf>>[number];
export type PartnerMemberView = Awaited<ReturnType<typeof membersOf>>[number];

/** A partner's panel as the partner sees it, read-only. The cookie is the panel's: it replaces what this browser was signed in as there. */
export const viewActions = ({ config }: Base): OperatorAction[] => {
  const cookie = memberCookie(config.panelUrl);
  return [
    operatorChange('/operator/api/partners/{id}/view', {
      may: 'see',
      keyless: 'each view is opened with an entry of its own in the audit log',
      noCommand:
        'it opens pages in a browser; the command line shows the same with partner show, order list and others',
      async handle(call) {
        const partnerId = idOf(call);
        const opened = await change(call.context, 'partner view', async (tx) => {
          const { token, until } = await partnerViews.open(tx, call.token, partnerId, call.now);
          return { target: `partner ${partnerId}`, after: { until }, result: token };
        });
        return { body: {}, session: { opened, cookie } };
      },
    }),
  ];
};
