import { step } from '../audit/action-keys.ts';
import type { Base } from '../base.ts';
import type { OpenSession } from '../people/people.ts';
import { endSessionOfPerson, endSessionsOfPerson, listSessions } from '../people/people.ts';
import { bigIdOf, iso } from '../site/action.ts';
import { browserName } from '../site/browser-name.ts';
import { type MemberAction, memberAction } from './member-action.ts';

/**
 * Everywhere the member is signed in, at all partners of theirs. Ending a session asks for nothing: somebody who suspects a stranger
 * must be able to sign them out at once.
 */
export const sessionActions = ({ db }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/sessions',
    may: 'see',
    handle: async ({ member, token, now }) => ({
      body: { sessions: (await listSessions(db, member.personId, token, now)).map(view) },
    }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/sessions/{id}/end',
    may: 'see',
    tier: 'none',
    async handle(call) {
      await step(call.actor, (tx) => endSessionOfPerson(tx, call.member.personId, bigIdOf(call)));
      return { body: {} };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/sessions/end-others',
    may: 'see',
    // It succeeds each time, and leaves a row.
    tier: 'read',
    async handle({ actor, member, token }) {
      await step(actor, (tx) => endSessionsOfPerson(tx, member.personId, token));
      return { body: {} };
    },
  }),
];

const view = ({ sessionId, partnerName, openedAt, lastSeenAt, address, userAgent, isThis }: OpenSession) => ({
  id: String(sessionId),
  partner_name: partnerName,
  opened_at: iso(openedAt),
  last_seen_at: iso(lastSeenAt),
  /** '' where it was not recorded. */
  address,
  browser: browserName(userAgent),
  is_this: isThis,
});

export type SessionView = ReturnType<typeof view>;
