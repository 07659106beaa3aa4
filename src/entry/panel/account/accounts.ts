import { type Account, memberAccess } from '../../../domains/partners/people/people.ts';
import { step } from '../../../platform/audit/action-keys.ts';
import { idOf } from '../../site/json/action.ts';
import { type MemberAction, memberAction } from '../member-action.ts';

/** The partners a person belongs to. `GET /api/me` lists them, and names the one the session is at. */
export const accountActions: readonly MemberAction[] = [
  memberAction({
    verb: 'POST',
    path: '/api/accounts/{id}/open',
    may: 'see',
    async handle(call) {
      await step(call.actor, (tx) => memberAccess.switchAccount(tx, call.token, idOf(call), call.now));
      return { body: {} };
    },
  }),
];

/** The id is the member's: the person's place at that partner. */
export const accountView = ({ memberId, partnerId, partnerName }: Account) => ({
  id: memberId,
  partner: { id: partnerId, name: partnerName },
});
