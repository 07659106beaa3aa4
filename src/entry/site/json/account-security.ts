import { renderSVG } from 'uqr';
import {
  type Access,
  FRESH_MS,
  type OpenSession,
  type SecondFactor,
  type Self,
} from '../../../domains/partners/people/people.ts';
import { step } from '../../../platform/audit/action-keys.ts';
import { SECOND } from '../../../platform/clock.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { bigIdOf, type Call, iso, jsonAction, jsonOf, shortText } from './action.ts';
import { factorFields, givenFactor, passkeyMade } from './sign-in.ts';

type At = '/api' | '/operator/api';

interface AccountSecurity<C extends Call, A extends At> {
  readonly at: A;
  readonly access: Access;
  readonly panelUrl: URL;
  /** What authenticators call this installation. */
  readonly siteName: string;
  self(call: C): Self;
}

/** Their password, second factor and sessions: the same for members and operators. */
export const securityActions = <C extends Call, A extends At>(account: AccountSecurity<C, A>) => [
  ...passwordActions(account),
  ...factorActions(account),
  ...passkeyActions(account),
  ...sessionActions(account),
];

const passwordActions = <C extends Call, A extends At>({ at, access, self, panelUrl }: AccountSecurity<C, A>) => [
  // Confirms the person's identity again, for the actions that are `fresh`: with the password, or with a passkey alone.
  jsonAction('POST', `${at}/confirm`, {
    // Wrong passwords and codes are counted as at a sign-in.
    tier: 'none',
    keyless: 'it proves that the person is there now; an answer from before would prove nothing',
    body: Type.Object({ password: Type.Optional(shortText), ...factorFields }),
    async handle(call: C, { password, ...factor }) {
      await access.confirm(self(call), { password, ...givenFactor(factor, panelUrl) });
      return { body: { valid_seconds: FRESH_MS / SECOND } };
    },
  }),
  jsonAction('POST', `${at}/password`, {
    // Somebody with a stolen cookie must not be able to use up the limit and keep its owner from ending the session.
    tier: 'none',
    body: Type.Object({ current: shortText, password: shortText }),
    async handle(call: C, wanted) {
      await access.changePassword(self(call), wanted);
      return { body: {} };
    },
  }),
];

/** The key and the recovery codes are shown once, when they are made. */
const factorActions = <C extends Call, A extends At>({ at, access, self, siteName }: AccountSecurity<C, A>) => [
  jsonAction('GET', `${at}/second-factor`, {
    async handle(call: C) {
      const { db, personId } = self(call);
      return { body: factorView(await access.factor.find(db, personId)) };
    },
  }),
  jsonAction('POST', `${at}/second-factor/start`, {
    fresh: true,
    async handle(call: C) {
      const me = self(call);
      const { secret, address } = await step(
        me,
        (tx) => access.factor.start(tx, me.vault, { id: me.personId, email: me.email, siteName }),
        () => 'the key for your app was shown once; set it up again',
      );
      return { body: setupView(secret, renderSVG(address, { border: 2 })) };
    },
  }),
  jsonAction('POST', `${at}/second-factor/turn-on`, {
    fresh: true,
    body: Type.Object({ code: shortText }),
    handle: async (call: C, { code }) => ({ body: codesView(await access.turnOnFactor(self(call), code)) }),
  }),
  jsonAction('POST', `${at}/second-factor/recovery-codes`, {
    fresh: true,
    handle: async (call: C) => ({ body: codesView(await access.renewCodes(self(call))) }),
  }),
  jsonAction('POST', `${at}/second-factor/turn-off`, {
    fresh: true,
    async handle(call: C) {
      await access.turnOffFactor(self(call));
      return { body: {} };
    },
  }),
];

/** What a browser is asked to sign is not stored, so asking for it changes nothing. */
const passkeyActions = <C extends Call, A extends At>({
  at,
  access,
  self,
  panelUrl,
  siteName,
}: AccountSecurity<C, A>) => [
  jsonAction('GET', `${at}/passkeys`, {
    async handle(call: C) {
      const { db, personId } = self(call);
      const passkeys = (await access.factor.passkeys.list(db, personId)).map(passkeyView);
      return { body: { available: access.factor.passkeys.arePossible(panelUrl), passkeys } };
    },
  }),
  jsonAction('POST', `${at}/passkeys/start`, {
    tier: 'read',
    fresh: true,
    keyless: 'it changes nothing: it draws what the browser is to sign',
    async handle(call: C) {
      const me = self(call);
      return { body: { options: await access.factor.passkeys.creation(me, me, { panelUrl, siteName }, call.now) } };
    },
  }),
  jsonAction('POST', `${at}/passkeys`, {
    fresh: true,
    body: Type.Object({ name: shortText, passkey: passkeyMade }),
    async handle(call: C, { name, passkey }) {
      const { id, rawId, type, response } = passkey;
      const { clientDataJSON, attestationObject } = response;
      const answer = { id, rawId, type, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} };
      const added = await access.addPasskey(self(call), { name, answer, panelUrl });
      // Null: they had recovery codes already.
      return { body: { passkey: passkeyView(added.passkey), recovery_codes: added.codes ?? null } };
    },
  }),
  jsonAction('POST', `${at}/passkeys/{id}/remove`, {
    fresh: true,
    async handle(call: C) {
      await access.removePasskey(self(call), bigIdOf(call));
      return { body: {} };
    },
  }),
];

type Passkey = Awaited<ReturnType<Access['factor']['passkeys']['list']>>[number];

const passkeyView = (passkey: Passkey) => ({
  id: String(passkey.passkeyId),
  /** `last_used_at` is null until it is used. */
  ...jsonOf(passkey, 'name', 'createdAt', 'lastUsedAt'),
});

/** Ending one asks for nothing: somebody who suspects a stranger must be able to sign them out at once. */
const sessionActions = <C extends Call, A extends At>({ at, access, self }: AccountSecurity<C, A>) => [
  jsonAction('GET', `${at}/sessions`, {
    async handle(call: C) {
      const { db, personId } = self(call);
      return { body: { sessions: (await access.sessions.list(db, personId, call.token, call.now)).map(sessionView) } };
    },
  }),
  jsonAction('POST', `${at}/sessions/{id}/end`, {
    tier: 'none',
    async handle(call: C) {
      const me = self(call);
      await step(me, (tx) => access.sessions.endOne(tx, me.personId, bigIdOf(call)));
      return { body: {} };
    },
  }),
  jsonAction('POST', `${at}/sessions/end-others`, {
    // It succeeds each time, and leaves a row.
    tier: 'read',
    async handle(call: C) {
      const me = self(call);
      await step(me, (tx) => access.sessions.endAll(tx, me.personId, call.token));
      return { body: {} };
    },
  }),
];

const sessionView = (session: OpenSession) => ({
  id: String(session.sessionId),
  /** Of a member's. */
  ...(session.partnerName !== undefined && { partner_name: session.partnerName }),
  /** `address`: '' where it was not recorded. */
  ...jsonOf(session, 'openedAt', 'lastSeenAt', 'address'),
  browser: browserName(session.userAgent),
  is_this: session.isThis,
});

/** The first that matches: most browsers also name the ones they descend from. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

const named = (list: typeof browsers, text: string): string | undefined => list.find(([form]) => form.test(text))?.[1];

/** "Firefox on Windows", as far as the browser says so; '' if it says nothing we know. It can lie, so nothing depends on it. */
export function browserName(userAgent: string): string {
  const [browser, system] = [named(browsers, userAgent), named(systems, userAgent)];
  if (browser === undefined) return system ?? '';
  return system === undefined ? browser : `${browser} on ${system}`;
}

const factorView = ({ onSince, recoveryLeft }: SecondFactor) => ({
  /** Of the authenticator app; null: there is none. */
  on_since: iso(onSince),
  recovery_codes_left: recoveryLeft,
});

/** `qr`: the key as an SVG to scan. */
const setupView = (key: string, qr: string) => ({ key, qr });

const codesView = (codes: readonly string[]) => ({ recovery_codes: codes });

export type SetupView = ReturnType<typeof setupView>;
export type RecoveryCodesView = ReturnType<typeof codesView>;
