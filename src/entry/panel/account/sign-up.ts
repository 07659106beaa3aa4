import {
  acceptSignUp,
  answerSignUp,
  confirmSignUp,
  linkedSignUp,
  type SignUpDesk,
  type SignUpStep,
  signUp,
} from '../../../actions/partners/sign-up.ts';
import type { Application } from '../../../domains/partners/applications/applications.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { type OpenAction, openAction, shortText } from '../../site/json/action.ts';
import { leavePanel } from '../members-only.ts';

/** As long as what it is checked against, in bytes. */
const text = Type.String({ maxLength: 4_000 });

/** Signing up, for everybody. A link's token is posted and never part of an address, because addresses are logged. */
export const signUpActions = (desk: SignUpDesk): OpenAction[] => [
  openAction({
    verb: 'POST',
    path: '/api/sign-up',
    body: Type.Object({ name: shortText, company: shortText, email: shortText }),
    async handle({ address }, typed) {
      // The same for every address. Null: the link is on its way by mail.
      return { body: { link: (await signUp(desk, { ...typed, address })) ?? null } satisfies SignedUpView };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/sign-up/show',
    body: Type.Object({ token: shortText }),
    async handle(_call, { token }) {
      const { step, application } = await linkedSignUp(desk, token);
      return { body: linkView(step, application) };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/sign-up/confirm',
    body: Type.Object({ token: shortText }),
    async handle(_call, { token }) {
      await confirmSignUp(desk, token);
      return { body: {} };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/sign-up/answer',
    body: Type.Object({ token: shortText, answer: text }),
    async handle(_call, { token, answer }) {
      await answerSignUp(desk, token, answer);
      return { body: {} };
    },
  }),
  openAction({
    verb: 'POST',
    path: '/api/sign-up/accept',
    body: Type.Object({ token: shortText, password: shortText }),
    async handle({ address, userAgent, token: left }, link) {
      const { token: opened, key } = await acceptSignUp(desk, { ...link, address, userAgent });
      if (left !== '') await leavePanel(desk.db, left);
      return { body: { secret: key } satisfies OpenedView, session: { opened } };
    },
  }),
];

export interface SignedUpView {
  readonly link: string | null;
}
/** The key of the new account's sandbox: shown once. */
export interface OpenedView {
  readonly secret: string;
}

const linkView = (step: SignUpStep, { name, company, email, question }: Application) => ({
  step,
  name,
  company,
  email,
  question,
});
export type SignUpLinkView = ReturnType<typeof linkView>;
