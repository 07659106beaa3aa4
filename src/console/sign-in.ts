import { Type } from 'typebox';
import { acceptOperatorLink } from '../actions/own-operator.ts';
import type { Base } from '../base.ts';
import { shareOf } from '../db/share.ts';
import { endOperatorSession, requireOperatorLink, signInOperator } from '../people/people.ts';
import { type OpenAction, openAction, shortText } from '../site/action.ts';

const code = Type.Optional(shortText);

/**
 * Signing in and out of the console, as in the panel: a one-time link's token is posted and never part of an address. Anyone can call
 * these, so together they use a quarter of the shared connections at most.
 */
export function operatorSignInActions({ db: pool, config, clock, vault }: Base): OpenAction[] {
  const db = shareOf(pool, Math.ceil(config.pools.shared / 4));
  return [
    openAction({
      verb: 'POST',
      path: '/operator/api/sign-in',
      body: Type.Object({ email: shortText, password: shortText, code }),
      async handle({ address, userAgent, token: left, now }, { email, password, code }) {
        const given = { email: email.trim(), password, code, address, userAgent };
        const opened = await signInOperator({ db, vault }, given, now);
        // The session this browser had before, perhaps somebody else's.
        if (left !== '') await endOperatorSession(db, left);
        return { body: {}, session: { opened } };
      },
    }),
    openAction({
      verb: 'POST',
      path: '/operator/api/sign-out',
      async handle({ token: ended }) {
        if (ended !== '') await endOperatorSession(db, ended);
        return { body: {}, session: 'ended' };
      },
    }),
    openAction({
      verb: 'POST',
      path: '/operator/api/welcome/show',
      body: Type.Object({ token: shortText }),
      async handle({ now }, link) {
        return { body: invitationView(await requireOperatorLink(db, link.token, now)) };
      },
    }),
    openAction({
      verb: 'POST',
      path: '/operator/api/welcome',
      body: Type.Object({ token: shortText, password: shortText, code }),
      async handle({ address, userAgent, token: left }, link) {
        const opened = await acceptOperatorLink({ db, clock, vault }, { ...link, address, userAgent });
        if (left !== '') await endOperatorSession(db, left);
        return { body: {}, session: { opened } };
      },
    }),
  ];
}

const invitationView = ({ email }: { readonly email: string }) => ({ email });

export type OperatorInvitationView = ReturnType<typeof invitationView>;
