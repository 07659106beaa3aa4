import { Type } from 'typebox';
import { askForLink } from '../actions/forgotten-passwords.ts';
import { acceptLink, joinByLink } from '../actions/members.ts';
import type { Base } from '../base.ts';
import { shareOf } from '../db/share.ts';
import { type LinkHolder, requireLink, signIn } from '../people/people.ts';
import { type OpenAction, openAction, shortText } from '../site/action.ts';
import { leavePanel } from './members-only.ts';

const code = Type.Optional(shortText);
const linkUse = Type.Object({ token: shortText, password: shortText, code });

/**
 * Signing in and out. A one-time link's token is posted and never part of an address, because addresses are logged. Anyone can
 * call these, so together they use half of the shared connections at most.
 */
export function signInActions({ db: pool, config, clock, mail, vault }: Base): OpenAction[] {
  const db = shareOf(pool, Math.floor(config.pools.shared / 2));
  const forgotten = openAction({
    verb: 'POST',
    path: '/api/forgotten-password',
    body: Type.Object({ email: shortText }),
    async handle({ address }, { email }) {
      await askForLink({ db, clock, mail }, { email: email.trim(), address });
      return { body: {} };
    },
  });
  return [
    openAction({
      verb: 'POST',
      path: '/api/sign-in',
      body: Type.Object({ email: shortText, password: shortText, code }),
      async handle({ address, userAgent, token: left, now }, { email, password, code }) {
        const given = { email: email.trim(), password, code, address, userAgent };
        const opened = await signIn({ db, vault }, given, now);
        // The session this browser had before, perhaps somebody else's.
        if (left !== '') await leavePanel(db, left);
        return { body: {}, session: { opened } };
      },
    }),
    openAction({
      verb: 'GET',
      path: '/api/sign-in',
      handle: async () => ({ body: signInView(mail.isOn) }),
    }),
    ...(mail.isOn ? [forgotten] : []),
    openAction({
      verb: 'POST',
      path: '/api/sign-out',
      async handle({ token: ended }) {
        if (ended !== '') await leavePanel(db, ended);
        return { body: {}, session: 'ended' };
      },
    }),
    openAction({
      verb: 'POST',
      path: '/api/welcome/show',
      body: Type.Object({ token: shortText }),
      async handle({ now }, link) {
        return { body: invitationView(await requireLink(db, link.token, now)) };
      },
    }),
    // Both ways to use a link are open to everybody: offering one by what we know of the address would give that away.
    ...Object.entries({ '/api/welcome': acceptLink, '/api/welcome/join': joinByLink } as const).map(([path, use]) =>
      openAction({
        verb: 'POST',
        path: path as '/api/welcome',
        body: linkUse,
        async handle({ address, userAgent, token: left }, link) {
          const opened = await use({ db, clock, vault }, { ...link, address, userAgent });
          if (left !== '') await leavePanel(db, left);
          return { body: {}, session: { opened } };
        },
      }),
    ),
  ];
}

/** What the sign-in page can offer. */
const signInView = (mailsLinks: boolean) => ({ mails_links: mailsLinks });

export type SignInView = ReturnType<typeof signInView>;

const invitationView = ({ email, partnerName }: LinkHolder) => ({ email, partner_name: partnerName });

export type InvitationView = ReturnType<typeof invitationView>;
