import {
  findBrand,
  findLink,
  type HelpRequest,
  helpRequests,
  lockTravellerMails,
  type TravellerLink,
} from '../../domains/travellers/travellers.ts';
import { amend } from '../../platform/audit/audit-log.ts';
import type { Mode } from '../../platform/contract/mode.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import { enterSchema } from '../../platform/db/search-path.ts';
import { type Actor, requireMine } from '../actor.ts';

interface HelpAnswer {
  readonly text: string;
  /** The only address that may be written to; undefined: whichever the traveller gave. */
  readonly onlyTo: string | undefined;
  readonly addressOf: (link: TravellerLink) => string;
}

/**
 * Mails an answer to the traveller, in the language they asked in. The log has neither the answer nor the address.
 */
export function answerHelpRequest(
  actor: Actor,
  mode: Mode,
  id: bigint,
  { text, onlyTo, addressOf }: HelpAnswer,
): Promise<HelpRequest> {
  const send = async (tx: Tx, { partnerId, orderId, language, written }: HelpRequest) => {
    if (written.email === '') throw new Refused('help_without_address');
    if (onlyTo !== undefined && written.email.toLowerCase() !== onlyTo.toLowerCase())
      throw new Refused('own_address_only');
    await lockTravellerMails(tx, partnerId);
    const { displayName, supportUrl } = await findBrand(tx, partnerId);
    const link = await findLink(tx, orderId);
    const url = link.isShareable && link.revokedAt === null ? addressOf(link) : '';
    const letter = {
      kind: 'help_answer',
      to: written.email,
      facts: { answer: text, url, displayName, supportUrl, language, partnerId },
      partnerId,
      about: `${mode} help request ${id}`,
    } as const;
    if (!(await actor.mail.queue(tx, letter, actor.clock.now()))) throw new Refused('mail_limit_reached');
    await helpRequests.saveAnswer(tx, actor.vault, id, text, new Date(actor.clock.now()));
  };
  return amend(actor, 'help answer', `help request ${id}`, reading(actor, mode, id), send, (one) => shown(mode, one));
}

const reading = (actor: Actor, mode: Mode, id: bigint) => async (tx: Tx) => {
  await enterSchema(tx, mode);
  return requireMine(actor, await helpRequests.lock(tx, actor.vault, id), 'help_request_not_found');
};

export function closeHelpRequest(actor: Actor, mode: Mode, id: bigint): Promise<HelpRequest> {
  const close = (tx: Tx) => helpRequests.close(tx, id, new Date(actor.clock.now()));
  return amend(actor, 'help close', `help request ${id}`, reading(actor, mode, id), close, (one) => shown(mode, one));
}

const shown = (mode: Mode, { state, iccid }: HelpRequest) => ({ mode, state, iccid });
