import { requireMine } from '../actions/actor.ts';
import { endTravellerLink, replaceTravellerLink } from '../actions/traveller-links.ts';
import type { Base } from '../base.ts';
import { bigIdOf, iso, requireMode } from '../site/action.ts';
import type { TravellerLink } from '../traveller-links/traveller-links.ts';
import { type MemberAction, type MemberCall, memberAction } from './member-action.ts';

/** The link to an order's page for its traveller, and how often it was opened. */
export const travellerLinkActions = ({ worlds }: Base): MemberAction[] => {
  async function reply(call: MemberCall, link: TravellerLink) {
    const url = await worlds[requireMode(call)].travellerLinks.urlOf({ id: link.orderId });
    return { body: { share: view(link, url ?? null) } };
  }
  return [
    memberAction({
      verb: 'GET',
      path: '/api/{mode}/orders/{id}/share',
      may: 'see',
      // Anyone with the link can install the eSIM.
      viewed: 'share(shareable,revoked_at,views,installs_opened)',
      async handle(call) {
        const found = await worlds[requireMode(call)].travellerLinks.link(bigIdOf(call));
        return reply(call, requireMine(call.actor, found, 'order_not_found'));
      },
    }),
    memberAction({
      verb: 'POST',
      path: '/api/{mode}/orders/{id}/share/revoke',
      may: 'change',
      handle: async (call) => reply(call, await endTravellerLink(call.actor, requireMode(call), bigIdOf(call))),
    }),
    memberAction({
      verb: 'POST',
      path: '/api/{mode}/orders/{id}/share/renew',
      may: 'change',
      handle: async (call) => reply(call, await replaceTravellerLink(call.actor, requireMode(call), bigIdOf(call))),
    }),
  ];
};

const view = ({ isShareable, revokedAt, views, installsOpened }: TravellerLink, url: string | null) => ({
  /** Null: revoked. Empty: hidden. */
  url,
  /** False: not delivered yet, a refill, refunded or withdrawn. */
  shareable: isShareable,
  revoked_at: iso(revokedAt),
  views,
  installs_opened: installsOpened,
});

export type TravellerLinkView = ReturnType<typeof view>;
