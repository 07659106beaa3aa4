import { setBalanceAlert } from '../../../actions/balance-alert.ts';
import { parseCents } from '../../../platform/amounts/cents.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { shortText } from '../../site/json/action.ts';
import { type MemberAction, memberAction } from '../member-action.ts';

/** The level below which a partner is notified of a low balance. It is read with everything else of the account at /api/me. */
export const balanceAlertActions: readonly MemberAction[] = [
  memberAction({
    verb: 'POST',
    path: '/api/balance-alert',
    may: 'spend',
    // Empty: off.
    body: Type.Object({ level: shortText }),
    async handle({ actor, member }, { level }) {
      const text = level.trim();
      const cents = text === '' ? null : parseCents(text);
      if (cents === undefined || (cents !== null && cents <= 0n)) throw new Refused('invalid_amount');
      return { body: { ...(await setBalanceAlert(actor, member.partnerId, cents)) } };
    },
  }),
];
