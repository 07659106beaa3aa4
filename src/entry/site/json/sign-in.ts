import type { Access, LinkHolder, LinkUse } from '../../../domains/partners/people/people.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { type Static, Type } from '../../../platform/contract/schema.ts';
import type { Queryable, Tx } from '../../../platform/db/database.ts';
import type { Base } from '../../../worlds/base.ts';
import { openAction, shortText } from './action.ts';

type Desk = Pick<Base, 'db' | 'clock' | 'vault'>;

/** Base64url, as browsers write it (`PublicKeyCredential.toJSON`). */
const bytesText = Type.String({ maxLength: 8_000 });
const credential = { id: shortText, rawId: shortText, type: Type.Literal('public-key') };
const passkeyAnswer = Type.Object({
  ...credential,
  response: Type.Object({
    clientDataJSON: bytesText,
    authenticatorData: bytesText,
    signature: bytesText,
    userHandle: Type.Optional(Type.Union([shortText, Type.Null()])),
  }),
  clientExtensionResults: Type.Object({}),
});
/** Of a new passkey. */
export const passkeyMade = Type.Object({
  ...credential,
  response: Type.Object({ clientDataJSON: bytesText, attestationObject: bytesText }),
  clientExtensionResults: Type.Object({}),
});

/** A code of the second factor, or a passkey in its place. */
export const factorFields = { code: Type.Optional(shortText), passkey: Type.Optional(passkeyAnswer) };

const passkeyUse = ({ id, rawId, type, response }: Static<typeof passkeyAnswer>, panelUrl: URL) => {
  const { clientDataJSON, authenticatorData, signature } = response;
  return {
    answer: { id, rawId, type, response: { clientDataJSON, authenticatorData, signature }, clientExtensionResults: {} },
    panelUrl,
  };
};

export const givenFactor = (
  { code, passkey }: { readonly code?: string; readonly passkey?: Static<typeof passkeyAnswer> },
  panelUrl: URL,
): Pick<LinkUse, 'code' | 'passkey'> => ({ code, passkey: passkey && passkeyUse(passkey, panelUrl) });

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
  /** Told of a sign-in with a password where single sign-on is required. */
  onBreakGlass(tx: Tx, holderId: number, from: string): Promise<void>;
  /** What the page of a link shows of its holder. */
  invitation(holder: H): Invited;
}

/** Signing in and out. A one-time link's token is posted and never part of an address, because addresses are logged. */
export function signInActions<
  H extends LinkHolder,
  At extends '/api' | '/operator/api',
  Welcome extends `/${string}`,
  Invited extends Readonly<Record<string, unknown>>,
>(desk: Desk, panelUrl: URL, sign: SignIn<H, At, Welcome, Invited>) {
  const { db } = desk;
  const { at, access, leave } = sign;
  const deviceOf = (address: string, userAgent: string) => ({
    address,
    userAgent,
    onBreakGlass: (tx: Tx, holderId: number) => sign.onBreakGlass(tx, holderId, address),
  });
  /** Ends the session this browser had before, perhaps somebody else's. */
  const replaced = async (left: string, opened: string) => {
    if (left !== '') await leave(db, left);
    return { body: {}, session: { opened } };
  };
  return [
    openAction('POST', `${at}/sign-in`, {
      body: Type.Object({ email: shortText, password: shortText, ...factorFields }),
      async handle({ address, userAgent, token: left, now }, { email, password, ...factor }) {
        const given = {
          email: email.trim(),
          password,
          ...givenFactor(factor, panelUrl),
          ...deviceOf(address, userAgent),
        };
        return replaced(left, await access.signIn(desk, given, now));
      },
    }),
    // What a browser needs to ask for a passkey: to sign in with it alone, or in place of a code.
    openAction('POST', `${at}/passkeys/request`, {
      async handle({ now }) {
        if (!access.factor.passkeys.arePossible(panelUrl)) throw new Refused('passkeys_unavailable');
        return { body: { options: access.factor.passkeys.request(desk.vault, panelUrl, now) } };
      },
    }),
    openAction('POST', `${at}/sign-in/passkey`, {
      body: Type.Object({ passkey: passkeyAnswer }),
      async handle({ address, userAgent, token: left, now }, { passkey }) {
        const device = deviceOf(address, userAgent);
        return replaced(left, await access.signInByPasskey(desk, passkeyUse(passkey, panelUrl), device, now));
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
        body: Type.Object({ token: shortText, password: shortText, ...factorFields }),
        async handle({ address, userAgent, token: left }, { token, password, ...factor }) {
          const link = { token, password, ...givenFactor(factor, panelUrl), ...deviceOf(address, userAgent) };
          return replaced(left, await sign.welcome[end](desk, link));
        },
      }),
    ),
  ];
}
