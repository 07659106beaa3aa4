import { change } from '../audit/audit-log.ts';
import type { AuditKind } from '../audit/sentences.ts';
import type { Mode } from '../contract/mode.ts';
import { Refused } from '../contract/refused.ts';
import type { Tx } from '../db/database.ts';
import { findLink, renewLink, revokeLink, type TravellerLink } from '../traveller-links/traveller-links.ts';
import { type Actor, enterWorld, requireMine } from './actor.ts';

/** Ends the link to an order's page for its traveller. */
export const endTravellerLink = (actor: Actor, mode: Mode, orderId: bigint): Promise<TravellerLink> =>
  changed(actor, 'share revoke', mode, orderId, (tx) => revokeLink(tx, orderId, new Date(actor.clock.now())));

/** Makes a new link, which ends the one before it. */
export const replaceTravellerLink = (actor: Actor, mode: Mode, orderId: bigint): Promise<TravellerLink> =>
  changed(actor, 'share renew', mode, orderId, (tx) => renewLink(tx, orderId));

function changed(
  actor: Actor,
  what: AuditKind,
  mode: Mode,
  orderId: bigint,
  work: (tx: Tx) => Promise<void>,
): Promise<TravellerLink> {
  return change(actor, what, async (tx) => {
    await enterWorld(tx, mode);
    const before = requireMine(actor, await findLink(tx, orderId), 'order_not_found');
    if (!before.isShareable) throw new Refused('not_shareable');
    await work(tx);
    const after = await findLink(tx, orderId);
    return { target: `order ${orderId}`, before: shown(mode, before), after: shown(mode, after), result: after };
  });
}

/** Without the link itself: who reads the log must not be able to open the page. */
const shown = (mode: Mode, { generation, revokedAt }: TravellerLink) => ({ mode, generation, revoked_at: revokedAt });
