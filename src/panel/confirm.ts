import { Type } from 'typebox';
import type { Base } from '../base.ts';
import { SECOND } from '../clock.ts';
import { confirmSession, FRESH_MS, requireCode, requireOwnPassword } from '../people/people.ts';
import { shortText } from '../site/action.ts';
import { type MemberAction, memberAction } from './member-action.ts';

/** Proves again who is at the keyboard, for the actions that are `fresh`. It counts for this session, for a few minutes. */
export const confirmActions = ({ db, vault }: Base): MemberAction[] => [
  memberAction({
    verb: 'POST',
    path: '/api/confirm',
    may: 'see',
    // Wrong passwords and codes are counted as at a sign-in.
    tier: 'none',
    keyless: 'it proves that the person is there now; an answer from before would prove nothing',
    body: Type.Object({ password: shortText, code: Type.Optional(shortText) }),
    async handle({ member, address, token, now }, { password, code }) {
      await requireOwnPassword(db, member, { password, address }, now);
      await requireCode({ db, vault }, [member.personId], code, now);
      await confirmSession(db, token, now);
      return { body: { valid_seconds: FRESH_MS / SECOND } };
    },
  }),
];
