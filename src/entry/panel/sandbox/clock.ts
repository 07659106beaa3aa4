import { turnClock, turnClockBack } from '../../../actions/system/test-clock.ts';
import { DAY, HOUR, MINUTE, readDuration, SECOND } from '../../../platform/clock.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { shortText } from '../../site/json/action.ts';
import { clockView } from '../../site/views/records.ts';
import { type MemberAction, memberAction } from '../member-action.ts';
import { fields } from '../viewed.ts';

const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** The test clock of the partner's sandbox. */
export const clockActions: readonly MemberAction[] = [
  memberAction({
    verb: 'GET',
    path: '/api/sandbox/clock',
    may: 'see',
    viewed: {
      test_clock: fields('on', 'now', 'real', 'ahead_seconds'),
    },
    handle: async ({ member, now }) => ({ body: { test_clock: clockView(member.aheadMs, now) } }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/sandbox/clock/advance',
    may: 'develop',
    body: Type.Object({ by: shortText }),
    async handle({ actor, member, now }, { by }) {
      const byMs = readDuration(by.trim(), units);
      if (byMs === undefined) throw new Refused('invalid_duration');
      const { ahead_seconds } = await turnClock(actor, member.partnerId, byMs);
      return { body: { test_clock: clockView(ahead_seconds * SECOND, now) } };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/sandbox/clock/reset',
    may: 'develop',
    async handle({ actor, member, now }) {
      await turnClockBack(actor, member.partnerId);
      return { body: { test_clock: clockView(0, now) } };
    },
  }),
];
