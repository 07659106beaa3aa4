import type { Access, LinkHolder, LinkUse } from '../../../domains/partners/people/people.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Base } from '../../../worlds/base.ts';
import { openAction, shortText } from './action.ts';

type Desk = Pick<Base, 'db' | 'clock' | 'vault'>;

export interface SignIn<
  H extends LinkHolder,
  At extends '/api' | '/operator/api',
  Welcome extends string,
  Invited extends Readonly<Record<string, unknown>>,
> {
  readonly at: At;
  readonly access: Access<H>;
  /** The ways to use a link, by the end of their address. */
  readonly welcome: Readonly<Record<Welcome, (desk: Desk, link: LinkUse) => Promise<string>>>;
  leave(db: Queryable, token: string): Promise<void>;
  /** What the page of a link shows of its holder. */
  invitation(holder: H): Invited;
}

/** Signing in and out. A one-time link's token is posted and never part of an address, because addresses are logged. */
export function signInActions<
  H extends LinkHolder,
  At extends '/api' | '/operator/api',
  Welcome extends `/${string}`,
  Invited extends Readonly<Record<string, unknown>>,
>(desk: Desk, sign: SignIn<H, At, Welcome, Invited>) {
  const { db } = desk;
  const { at, access, leave } = sign;
  const code = Type.Optional(shortText);
  /** Ends the session this browser had before, perhaps somebody else's. */
  const replaced = async (left: string, opened: string) => {
    if (left !== '') await leave(db, left);
    return { body: {}, session: { opened } };
  };
  return [
    openAction('POST', `${at}/sign-in`, {
      body: Type.Object({ email: shortText, password: shortText, code }),
      async handle({ address, userAgent, token: left, now }, { email, password, code }) {
        const given = { email: email.trim(), password, code, address, userAgent };
        return replaced(left, await access.signIn(desk, given, now));
      },
    }),
    openAction('POST', `${at}/sign-out`, {
      async handle({ token: ended }) {
        if (ended !== '') await leave(db, ended);
        return { body: {}, session: 'ended' };
      },
    }),
    openAction('POST', `${at}/welcome/show`, {
      body: Type.Object({ token: shortText }),
      handle: async ({ now }, { token }) => ({ body: sign.invitation(await access.links.require(db, token, now)) }),
    }),
    ...(Object.keys(sign.welcome) as Welcome[]).map((end) =>
      openAction('POST', `${at}${end}`, {
        body: Type.Object({ token: shortText, password: shortText, code }),
        async handle({ address, userAgent, token: left }, link) {
          return replaced(left, await sign.welcome[end](desk, { ...link, address, userAgent }));
        },
      }),
    ),
  ];
}
