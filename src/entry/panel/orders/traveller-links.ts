import { requireMine } from '../../../actions/actor.ts';
import {
  endTravellerLink,
  mailTravellerLink,
  replaceTravellerLink,
} from '../../../actions/travellers/traveller-links.ts';
import { type Language, languages } from '../../../domains/messages/texts/texts.ts';
import type { TravellerLink } from '../../../domains/travellers/travellers.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { isMailable } from '../../../platform/settings/mail.ts';
import type { Base } from '../../../worlds/base.ts';
import { bigIdOf, jsonOf, requireMode, shortText } from '../../site/json/action.ts';
import { type MemberCall, memberChange, memberRead } from '../member-action.ts';
import { fields } from '../viewed.ts';

/** The link to an order's page for its traveller, and how often it was opened. */
export const travellerLinkActions = ({ worlds, mail }: Base) => {
  async function shareOf(call: MemberCall, link: TravellerLink) {
    const url = await worlds[requireMode(call)].travellerLinks.urlOf({ id: link.orderId });
    return { share: view(link, url ?? null, mail.isOn) };
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

const view = (link: TravellerLink, url: string | null, mailOn: boolean) => ({
  /** Null: revoked. Empty: hidden. */
  url,
  /** False: not delivered yet, a refill, refunded or withdrawn. */
  shareable: link.isShareable,
  ...jsonOf(link, 'revokedAt', 'views', 'installsOpened'),
  mail_on: mailOn,
});
