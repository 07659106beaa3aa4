import { removeSso, requireSso, setSso, signInMember } from '../../../actions/partners/single-sign-on.ts';
import { members } from '../../../domains/partners/people/people.ts';
import { ssoProviders } from '../../../domains/partners/single-sign-on/single-sign-on.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import type { Db } from '../../../platform/db/database.ts';
import { beginSignIn, finishSignIn } from '../../../platform/oidc/oidc.ts';
import type { Base } from '../../../worlds/base.ts';
import { longText, openAction, shortText } from '../../site/json/action.ts';
import { ticketCookie } from '../../site/json/browser.ts';
import { fields, memberChange, memberRead } from '../member-action.ts';
import { leavePanel } from '../members-only.ts';

const smallId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 });

/** Signing in where a partner's company says who people are. Anyone can call these; `db` is their share of the connections. */
export function memberSsoActions(db: Db, { clock, vault, log, fetch, config: { panelUrl } }: Base) {
  const parts = { vault, log, fetch };
  const cookie = ticketCookie(panelUrl);
  const at = async (account: number | undefined) => {
    const registration =
      account === undefined ? undefined : await ssoProviders.registration(db, vault, account, panelUrl);
    if (account === undefined || !registration) throw new Refused('sso_not_found');
    return { account, registration };
  };
  return [
    openAction('POST', '/api/sso/start', {
      // By an address in a confirmed domain, or for an account that is known from before.
      body: Type.Object({
        email: Type.Optional(shortText),
        account: Type.Optional(smallId),
        again: Type.Optional(Type.Boolean()),
      }),
      async handle({ now }, { email = '', account, again }) {
        const found = await at(account ?? (await ssoProviders.ofAddress(db, email.trim())));
        const { url, ticket } = await beginSignIn(parts, ofPartner(found.account), found.registration, now, again);
        return { body: { url }, session: { opened: ticket, cookie } };
      },
    }),
    openAction('POST', '/api/sso/finish', {
      body: Type.Object({ account: smallId, answer: longText }),
      async handle({ address, userAgent, token: left, now, cookie: read }, { account, answer }) {
        const { registration } = await at(account);
        const sent = { ticket: read(cookie), answer };
        const identity = await finishSignIn(parts, ofPartner(account), registration, sent, now);
        const opened = await signInMember({ db, clock }, account, identity, { address, userAgent });
        if (left !== '') await leavePanel(db, left);
        return { body: {}, session: { opened } };
      },
    }),
  ];
}

const ofPartner = (partnerId: number): string => `partner ${partnerId}`;

/** Where the members of an account sign in: for its owners. */
export const ssoSettingsActions = ({ db, config }: Base) => [
  memberRead('/api/sso', {
    may: 'manage',
    viewed: {
      ...fields('issuer', 'client_id', 'required', 'break_glass', 'redirect_uri'),
      domains: fields('domain', 'confirmed'),
      can_be_break_glass: fields('id', 'email'),
    },
    async read({ member: { partnerId } }) {
      const [provider, domains, breakGlass, able, all] = await Promise.all([
        ssoProviders.find(db, partnerId),
        ssoProviders.domains(db, partnerId),
        members.breakGlass(db, partnerId),
        members.withWayIn(db, partnerId),
        members.list(db, partnerId),
      ]);
      return {
        /** Null: not set up. */
        issuer: provider?.issuer ?? null,
        client_id: provider?.clientId ?? null,
        required: provider?.isRequired ?? false,
        break_glass: breakGlass,
        redirect_uri: ssoProviders.redirectUri(config.panelUrl, partnerId).href,
        domains: domains.map(({ domain, confirmedAt }) => ({ domain, confirmed: confirmedAt !== null })),
        can_be_break_glass: all
          .filter(({ memberId }) => able.includes(memberId))
          .map(({ memberId, email }) => ({ id: memberId, email })),
      };
    },
  }),
  memberChange('/api/sso', {
    may: 'manage',
    fresh: true,
    tier: 'outbound',
    body: Type.Object({
      issuer: shortText,
      client_id: shortText,
      /** Without it, the one we have stays. */
      client_secret: Type.Optional(shortText),
      domains: Type.Array(shortText, { maxItems: 20 }),
    }),
    async handle({ actor, member }, { issuer, client_id: clientId, client_secret: clientSecret, domains }) {
      const wanted = { issuer: issuer.trim(), clientId: clientId.trim(), clientSecret, domains };
      await setSso(actor, member.partnerId, wanted);
      return { body: {} };
    },
  }),
  memberChange('/api/sso/remove', {
    may: 'manage',
    fresh: true,
    async handle({ actor, member }) {
      await removeSso(actor, member.partnerId);
      return { body: {} };
    },
  }),
  memberChange('/api/sso/require', {
    may: 'manage',
    fresh: true,
    // Null: no longer.
    body: Type.Object({ break_glass: Type.Union([smallId, Type.Null()]) }),
    async handle({ actor, member }, { break_glass: id }) {
      await requireSso(actor, member.partnerId, id ?? undefined);
      return { body: {} };
    },
  }),
];
