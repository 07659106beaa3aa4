import { askForLink } from '../../../actions/partners/forgotten-passwords.ts';
import {
  acceptSignUp,
  answerSignUp,
  confirmSignUp,
  linkedSignUp,
  type SignUpDesk,
  type SignUpStep,
  signUp,
} from '../../../actions/partners/sign-up.ts';
import { breakGlassMails } from '../../../actions/partners/single-sign-on.ts';
import type { Application } from '../../../domains/partners/applications/applications.ts';
import { type MemberLinkHolder, memberAccess } from '../../../domains/partners/people/people.ts';
import { ssoProviders } from '../../../domains/partners/single-sign-on/single-sign-on.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { shareOf } from '../../../platform/db/database.ts';
import type { SignUpMode } from '../../../platform/settings/site.ts';
import type { Base } from '../../../worlds/base.ts';
import { jsonOf, openAction, shortText } from '../../site/json/action.ts';
import { signInActions } from '../../site/json/sign-in.ts';
import { leavePanel } from '../members-only.ts';
import { memberSsoActions } from './single-sign-on.ts';

/** As long as what it is checked against, in bytes. */
const text = Type.String({ maxLength: 4_000 });

/** Signing up, for everybody. A link's token is posted and never part of an address, because addresses are logged. */
const signUpActions = (desk: SignUpDesk) => [
  openAction('POST', '/api/sign-up', {
    body: Type.Object({ name: shortText, company: shortText, email: shortText }),
    async handle({ address }, typed) {
      // The same for every address. Null: the link is on its way by mail.
      return { body: { link: (await signUp(desk, { ...typed, address })) ?? null } };
    },
  }),
  openAction('POST', '/api/sign-up/show', {
    body: Type.Object({ token: shortText }),
    async handle(_call, { token }) {
      const { step, application } = await linkedSignUp(desk, token);
      return { body: linkView(step, application) };
    },
  }),
  openAction('POST', '/api/sign-up/confirm', {
    body: Type.Object({ token: shortText }),
    async handle(_call, { token }) {
      await confirmSignUp(desk, token);
      return { body: {} };
    },
  }),
  openAction('POST', '/api/sign-up/answer', {
    body: Type.Object({ token: shortText, answer: text }),
    async handle(_call, { token, answer }) {
      await answerSignUp(desk, token, answer);
      return { body: {} };
    },
  }),
  openAction('POST', '/api/sign-up/accept', {
    body: Type.Object({ token: shortText, password: shortText }),
    async handle({ address, userAgent, token: left }, link) {
      const { token: opened, key } = await acceptSignUp(desk, { ...link, address, userAgent });
      if (left !== '') await leavePanel(desk.db, left);
      // The key of the new account's sandbox: shown once.
      return { body: { secret: key }, session: { opened } };
    },
  }),
];

const linkView = (step: SignUpStep, application: Application) => ({
  step,
  ...jsonOf(application, 'name', 'company', 'email', 'question'),
});

/** Signing in to the panel. Anyone can call these, so together they use half of the shared connections at most. */
export function memberSignInActions(base: Base) {
  const { db: pool, config, clock, mail, vault } = base;
  const db = shareOf(pool, Math.floor(config.pools.shared / 2));
  const forgotten = openAction('POST', '/api/forgotten-password', {
    body: Type.Object({ email: shortText }),
    async handle({ address }, { email }) {
      await askForLink({ db, clock, mail }, { email: email.trim(), address });
      return { body: {} };
    },
  });
  return [
    openAction('GET', '/api/sign-in', {
      handle: async () => ({ body: signInView(mail.isOn, config.signUp, await ssoProviders.isAnySet(db)) }),
    }),
    ...memberSsoActions(db, base),
    ...(mail.isOn ? [forgotten] : []),
    ...(config.signUp === 'off' ? [] : signUpActions({ db, clock, mail, vault, config })),
    ...signInActions({ db, clock, vault }, config.panelUrl, {
      at: '/api',
      access: memberAccess,
      // Both ways to use a link are open to everybody: offering one by what we know of the address would give that away.
      welcome: {
        '/welcome': (desk, link) => memberAccess.acceptLink(desk, link),
        '/welcome/join': (desk, link) => memberAccess.joinByLink(desk, link),
      },
      leave: leavePanel,
      onBreakGlass: breakGlassMails(base).ofMember,
      invitation: invitationView,
    }),
  ];
}

/** What the sign-in page can offer. */
const signInView = (mailsLinks: boolean, signUp: SignUpMode, isSsoSet: boolean) => ({
  mails_links: mailsLinks,
  /** Strangers can open an account; left out: they cannot. */
  ...(signUp !== 'off' && { sign_up: signUp }),
  /** Some accounts sign in with those of their company; left out: none does. */
  ...(isSsoSet && { sso: true }),
});

const invitationView = ({ email, partnerName }: MemberLinkHolder) => ({ email, partner_name: partnerName });
