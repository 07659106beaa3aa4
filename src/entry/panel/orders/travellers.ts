import { requireMine } from '../../../actions/actor.ts';
import { answerHelpRequest, closeHelpRequest } from '../../../actions/travellers/help-requests.ts';
import {
  endTravellerLink,
  mailTravellerLink,
  replaceTravellerLink,
} from '../../../actions/travellers/traveller-links.ts';
import { type Language, languages } from '../../../domains/messages/texts/texts.ts';
import { type HelpRequest, helpRequests, type TravellerLink } from '../../../domains/travellers/travellers.ts';
import { helpFacts } from '../../../platform/contract/event-bodies.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { isMailable } from '../../../platform/settings/mail.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, jsonOf, requireMode, shortText } from '../../site/json/action.ts';
import { filtersFrom } from '../../site/json/filters.ts';
import { fields, type MemberCall, memberChange, memberRead } from '../member-action.ts';

/** The link to an order's page for its traveller, and how often it was opened. */
export const travellerLinkActions = ({ worlds, mail }: Base) => {
  async function shareOf(call: MemberCall, link: TravellerLink) {
    const url = await worlds[requireMode(call)].travellerLinks.urlOf({ id: link.orderId });
    return { share: linkView(link, url ?? null, mail.isOn) };
  }
  /** The link installs the eSIM, so it is not kept with the change: a repeat reads it again. */
  const reply = async (call: MemberCall, link: TravellerLink) =>
    ({ body: await shareOf(call, link), kept: 'nothing' }) as const;
  return [
    memberRead('/api/{mode}/orders/{id}/share', {
      may: 'see',
      // Anyone with the link can install the eSIM.
      viewed: { share: fields('shareable', 'revoked_at', 'views', 'installs_opened', 'mail_on') },
      async read(call) {
        const found = await worlds[requireMode(call)].travellerLinks.link(bigIdOf(call));
        return shareOf(call, requireMine(call.actor, found, 'order_not_found'));
      },
    }),
    memberChange('/api/{mode}/orders/{id}/share/revoke', {
      may: 'change',
      handle: async (call) => reply(call, await endTravellerLink(call.actor, requireMode(call), bigIdOf(call))),
    }),
    memberChange('/api/{mode}/orders/{id}/share/renew', {
      may: 'change',
      handle: async (call) => reply(call, await replaceTravellerLink(call.actor, requireMode(call), bigIdOf(call))),
    }),
    memberChange('/api/{mode}/orders/{id}/share/mail', {
      may: 'change',
      body: Type.Object({ email: shortText, language: Type.Optional(Type.Enum(Object.keys(languages) as Language[])) }),
      async handle(call, { email, language = 'en' }) {
        const mode = requireMode(call);
        const to = email.trim();
        if (!mail.isOn) throw new Refused('mail_off', 'this server sends no mail; send the link yourself');
        if (!isMailable(to)) throw new Refused('invalid_email');
        // Anyone may get a sandbox account, and must not be able to write to strangers with it.
        if (mode === 'sandbox' && to.toLowerCase() !== call.member.email.toLowerCase())
          throw new Refused('own_address_only');
        const { addressOf } = worlds[mode].travellerLinks;
        await mailTravellerLink(call.actor, mode, bigIdOf(call), { to, language, addressOf });
        return { body: {} };
      },
    }),
  ];
};

const linkView = (link: TravellerLink, url: string | null, mailOn: boolean) => ({
  /** Null: revoked. Empty: hidden. */
  url,
  /** False: not delivered yet, a refill, refunded or withdrawn. */
  shareable: link.isShareable,
  ...jsonOf(link, 'revokedAt', 'views', 'installsOpened'),
  mail_on: mailOn,
});

const PER_PAGE = 20;
const MAX_ANSWER = 4_000;

/** Without what the traveller wrote and what was answered. */
const VIEWED = {
  ...fields('id', 'order_id', 'iccid', 'state', 'shows', 'step', 'language', 'can_answer'),
  ...fields('created_at', 'answered_at', 'closed_at'),
  facts: fields(
    ...(['profile_state', 'country', 'covered', 'used', 'data_left', 'remaining_mb', 'ends_at', 'ended'] as const),
    ...(['suspended', 'delivered', 'supplier_outage', 'apn_needed'] as const),
  ),
};

/** Requests for help that travellers sent from the pages of their eSIMs. */
export const helpRequestActions = ({ worlds, mail }: Base) => {
  const view = viewWith(mail.isOn);
  /** An answer and an address are not kept with the change: a repeat reads them again. */
  const reply = (request: HelpRequest) => ({ body: { request: view(request) }, kept: 'nothing' as const });
  return [
    memberRead('/api/{mode}/help-requests', {
      may: 'see',
      viewed: { requests: VIEWED, has_more: true },
      async read(call) {
        const { oneOf, id } = filtersFrom(call);
        const found = await worlds[requireMode(call)].help.list(call.member.partnerId, {
          limit: PER_PAGE + 1,
          beforeId: id('before'),
          state: oneOf('status', helpRequests.states),
        });
        return { requests: found.slice(0, PER_PAGE).map(view), has_more: found.length > PER_PAGE };
      },
    }),
    memberRead('/api/{mode}/help-requests/{id}', {
      may: 'see',
      viewed: { request: VIEWED },
      async read(call) {
        const found = await worlds[requireMode(call)].help.find(bigIdOf(call));
        return { request: view(requireMine(call.actor, found, 'help_request_not_found')) };
      },
    }),
    memberChange('/api/{mode}/help-requests/{id}/answer', {
      may: 'change',
      body: Type.Object({ text: Type.String({ minLength: 1, maxLength: MAX_ANSWER }) }),
      async handle(call, { text }) {
        const mode = requireMode(call);
        if (text.trim() === '') throw new Refused('invalid_answer');
        if (!mail.isOn) throw new Refused('mail_off', 'this server sends no mail; write to the traveller yourself');
        const { addressOf } = worlds[mode].travellerLinks;
        return reply(
          await answerHelpRequest(call.actor, mode, bigIdOf(call), {
            text: text.trim(),
            onlyTo: ownAddress(call),
            addressOf,
          }),
        );
      },
    }),
    memberChange('/api/{mode}/help-requests/{id}/close', {
      may: 'change',
      handle: async (call) => reply(await closeHelpRequest(call.actor, requireMode(call), bigIdOf(call))),
    }),
  ];
};

/** Anyone may get a sandbox account, and must not be able to write to strangers with it. */
const ownAddress = (call: MemberCall): string | undefined =>
  requireMode(call) === 'sandbox' ? call.member.email : undefined;

const viewWith = (isMailOn: boolean) => (request: HelpRequest) => ({
  ...jsonOf(request, 'id', 'orderId', 'iccid', 'state'),
  /** What the phone shows, and what the page advised. */
  shows: request.facts.shows,
  step: request.step,
  /** The language the answer is mailed in, by its own name. */
  language: languages[request.language].name,
  facts: helpFacts(request.facts),
  email: request.written.email,
  message: request.written.message,
  /** Whether an answer can be mailed. */
  can_answer: isMailOn && request.written.email !== '',
  ...jsonOf(request, 'answer', 'createdAt', 'answeredAt', 'closedAt'),
});
