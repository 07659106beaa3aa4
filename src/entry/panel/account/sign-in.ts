import { askForLink } from '../../../actions/partners/forgotten-passwords.ts';
import { type MemberLinkHolder, memberAccess } from '../../../domains/partners/people/people.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { shareOf } from '../../../platform/db/query/share.ts';
import type { SignUpMode } from '../../../platform/settings/site.ts';
import type { Base } from '../../../worlds/base.ts';
import { type OpenAction, openAction, shortText } from '../../site/json/action.ts';
import { signInActions } from '../../site/json/sign-in.ts';
import { leavePanel } from '../members-only.ts';
import { signUpActions } from './sign-up.ts';

/** Signing in to the panel. Anyone can call these, so together they use half of the shared connections at most. */
export function memberSignInActions({ db: pool, config, clock, mail, vault }: Base): OpenAction[] {
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
      verb: 'GET',
      path: '/api/sign-in',
      handle: async () => ({ body: { ...signInView(mail.isOn, config.signUp) } }),
    }),
    ...(mail.isOn ? [forgotten] : []),
    ...(config.signUp === 'off' ? [] : signUpActions({ db, clock, mail, vault, config })),
    ...signInActions(
      { db, clock, vault },
      {
        at: '/api',
        access: memberAccess,
        // Both ways to use a link are open to everybody: offering one by what we know of the address would give that away.
        welcome: {
          '/welcome': (desk, link) => memberAccess.acceptLink(desk, link),
          '/welcome/join': (desk, link) => memberAccess.joinByLink(desk, link),
        },
        leave: leavePanel,
        invitation: invitationView,
      },
    ),
  ];
}

/** What the sign-in page can offer. */
const signInView = (mailsLinks: boolean, signUp: SignUpMode): SignInView => ({
  mails_links: mailsLinks,
  ...(signUp !== 'off' && { sign_up: signUp }),
});

export interface SignInView {
  readonly mails_links: boolean;
  /** Strangers can open an account; left out: they cannot. */
  readonly sign_up?: Exclude<SignUpMode, 'off'>;
}

const invitationView = ({ email, partnerName }: MemberLinkHolder) => ({ email, partner_name: partnerName });

export type InvitationView = ReturnType<typeof invitationView>;
