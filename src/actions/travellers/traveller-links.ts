import type { Language } from '../../domains/messages/texts/texts.ts';
import {
  findBrand,
  findLink,
  lockTravellerMails,
  renewLink,
  revokeLink,
  type TravellerLink,
} from '../../domains/travellers/travellers.ts';
import { amend, change } from '../../platform/audit/audit-log.ts';
import type { AuditKind } from '../../platform/audit/sentences.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { type Actor, requireMine } from '../actor.ts';

export const endTravellerLink = (actor: Actor, mode: Mode, orderId: bigint): Promise<TravellerLink> =>
  changed(actor, 'share revoke', mode, orderId, (tx) => revokeLink(tx, orderId, new Date(actor.clock.now())));

export const replaceTravellerLink = (actor: Actor, mode: Mode, orderId: bigint): Promise<TravellerLink> =>
  changed(actor, 'share renew', mode, orderId, (tx) => renewLink(tx, orderId));

interface TravellerMail {
  readonly to: string;
  readonly language: Language;
  readonly addressOf: (link: TravellerLink) => string;
}

/**
 * Mails the page to an address that the caller has checked. The address is in the queue of mails and nowhere else, and the log does
 * not have it.
 */
export function mailTravellerLink(
  actor: Actor,
  mode: Mode,
  orderId: bigint,
  { to, language, addressOf }: TravellerMail,
): Promise<void> {
  return change(actor, 'share mail', async (tx) => {
    await enterSchema(tx, mode);
    const link = requireMine(actor, await findLink(tx, orderId), 'order_not_found');
    if (!link.isShareable || link.revokedAt !== null) throw new Refused('not_shareable');
    await lockTravellerMails(tx, link.partnerId);
    const { displayName, supportUrl } = await findBrand(tx, link.partnerId);
    const letter = {
      kind: 'traveller_page',
      to,
      facts: {
        ...{ url: addressOf(link), displayName, supportUrl, language, partnerId: link.partnerId },
        esim: { mode, orderId: String(orderId) },
      },
      partnerId: link.partnerId,
      about: `${mode} order ${orderId}`,
    } as const;
    if (!(await actor.mail.queue(tx, letter, actor.clock.now()))) throw new Refused('mail_limit_reached');
    return { target: `order ${orderId}`, after: { mode }, result: undefined };
  });
}

function changed(
  actor: Actor,
  what: AuditKind,
  mode: Mode,
  orderId: bigint,
  work: (tx: Tx) => Promise<void>,
): Promise<TravellerLink> {
  const read = async (tx: Tx) => {
    await enterSchema(tx, mode);
    return requireMine(actor, await findLink(tx, orderId), 'order_not_found');
  };
  const end = async (tx: Tx, { isShareable }: TravellerLink) => {
    if (!isShareable) throw new Refused('not_shareable');
    await work(tx);
  };
  return amend(actor, what, `order ${orderId}`, read, end, (link) => shown(mode, link));
}

/** Without the link itself: readers of the log must not be able to open the page. */
const shown = (mode: Mode, { generation, revokedAt }: TravellerLink) => ({ mode, generation, revoked_at: revokedAt });
