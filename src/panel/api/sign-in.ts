import { Type } from 'typebox';
import { endSession, showLink, signIn } from '../../accounts/accounts.ts';
import { acceptLink } from '../../actions/members.ts';
import type { Base } from '../../base.ts';
import { type OpenAction, openAction, shortText } from './action.ts';

const token = shortText;

/** The ways in and out. A one-time link's token is posted, never part of an address: addresses are logged. */
export const signInActions = ({ db, clock }: Base): OpenAction[] => [
  openAction({
    verb: 'POST',
    path: '/api/sign-in',
    body: Type.Object({ email: shortText, password: shortText }),
    async handle({ address, token: left, now }, { email, password }) {
      const opened = await signIn(db, { email: email.trim(), password, address }, now);
      // The session this browser had before, somebody else's perhaps.
      if (left !== '') await endSession(db, left);
      return { body: {}, session: { opened } };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/sign-out',
    async handle({ token: ended }) {
      if (ended !== '') await endSession(db, ended);
      return { body: {}, session: 'ended' };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/welcome/show',
    body: Type.Object({ token }),
    async handle({ now }, link) {
      return { body: invitationView(await showLink(db, link.token, now)) };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/welcome',
    body: Type.Object({ token, password: shortText }),
    async handle({ token: left }, link) {
      const opened = await acceptLink({ db, clock }, link.token, link.password);
      if (left !== '') await endSession(db, left);
      return { body: {}, session: { opened } };
    },
  }),
];

const invitationView = ({ email, partner_name }: Awaited<ReturnType<typeof showLink>>) => ({ email, partner_name });

export type InvitationView = ReturnType<typeof invitationView>;
