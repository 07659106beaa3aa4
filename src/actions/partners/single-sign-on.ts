import { findPartner, requireOpenPartner } from '../../domains/partners/accounts/accounts.ts';
import { type Member, memberAccess, members, operatorAccess, operators } from '../../domains/partners/people/people.ts';
import {
  memberIdentities,
  ssoProviders,
  type WantedProvider,
} from '../../domains/partners/single-sign-on/single-sign-on.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { timestamp } from '../../platform/clock.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { Identity } from '../../platform/oidc/oidc.ts';
import type { Base } from '../../worlds/base.ts';
import { action } from '../action.ts';
import type { Actor } from '../actor.ts';
import { integer, required, text } from '../fields.ts';

type Desk = Pick<Base, 'db' | 'clock'>;
interface Device {
  readonly address: string;
  readonly userAgent: string;
}

/**
 * Signs a member in whom their partner's issuer knows; the token of the session is in the answer. The first time they are found by
 * their address, in a domain that an operator has confirmed for the partner; from then on by the issuer's own name for them. Who was
 * not invited joins as read-only.
 */
export async function signInMember(
  { db, clock }: Desk,
  partnerId: number,
  identity: Identity,
  device: Device,
): Promise<string> {
  const known = await memberIdentities.find(db, partnerId, identity);
  const memberId = known ?? (await link({ db, clock }, partnerId, identity));
  return db.tx((tx) => memberAccess.sessions.open(tx, memberId, clock.now(), { ...device, isSso: true }));
}

async function link({ db, clock }: Desk, partnerId: number, identity: Identity): Promise<number> {
  const { email, issuer } = identity;
  if (email === undefined) throw new Refused('sso_unverified_address');
  return change({ db, who: `member:${email}` }, 'sso link', async (tx) => {
    const now = clock.now();
    await requireOpenPartner(tx, partnerId);
    if (!(await ssoProviders.isConfirmed(tx, partnerId, email))) throw new Refused('sso_not_invited');
    const invited = await members.byEmail(tx, partnerId, email);
    const member = invited ?? (await members.create(tx, { partnerId, email, role: 'read-only' }, now));
    const { memberId } = await members.lock(tx, member.memberId);
    if (!(await memberIdentities.link(tx, partnerId, memberId, identity, now))) throw new Refused('sso_other_person');
    if ((await members.personOf(tx, memberId)) === null) await memberAccess.startBySso(tx, memberId);
    return { target: `member ${memberId}`, partnerId, after: { email, role: member.role, issuer }, result: memberId };
  });
}

/** Where a partner's members sign in; the guard refuses addresses that we do not call. */
export async function setSso(actor: Actor, partnerId: number, wanted: WantedProvider): Promise<void> {
  const issuer = URL.parse(wanted.issuer);
  if (issuer?.username !== '' || issuer.search !== '' || issuer.hash !== '') throw new Refused('invalid_issuer');
  await actor.guard.check(issuer.href).catch(() => {
    throw new Refused('invalid_issuer');
  });
  if (wanted.clientId.trim() === '' || wanted.clientSecret?.trim() === '') throw new Refused('invalid_client');
  await change(actor, 'sso set', async (tx) => {
    await requireOpenPartner(tx, partnerId);
    await ssoProviders.set(tx, actor.vault, partnerId, wanted, actor.clock.now());
    const { issuer, clientId, domains } = wanted;
    return {
      target: `partner ${partnerId}`,
      after: { issuer, client_id: clientId, domains: domains.join(', ') },
      result: undefined,
    };
  });
}

export const removeSso = (actor: Actor, partnerId: number): Promise<void> =>
  change(actor, 'sso remove', async (tx) => {
    await ssoProviders.remove(tx, partnerId);
    return { target: `partner ${partnerId}`, result: undefined };
  });

/** `breakGlassId`: who is left a password; undefined: single sign-on is no longer required. */
export const requireSso = (actor: Actor, partnerId: number, breakGlassId: number | undefined): Promise<void> =>
  change(actor, breakGlassId === undefined ? 'sso release' : 'sso require', async (tx) => {
    await ssoProviders.require(tx, partnerId, breakGlassId);
    const left = breakGlassId === undefined ? {} : { break_glass: (await members.find(tx, breakGlassId)).email };
    return { target: `partner ${partnerId}`, after: left, result: undefined };
  });

/** Mails everybody who may know that somebody signed in with a password where single sign-on is required. */
export const breakGlassMails = ({ mail, clock }: Pick<Base, 'mail' | 'clock'>) => ({
  async ofMember(tx: Tx, memberId: number, from: string): Promise<void> {
    const { partnerId, email }: Member = await members.find(tx, memberId);
    const { partnerName, addresses } = await members.recipients(tx, partnerId, 'manage');
    const facts = { who: email, place: `the account ${partnerName}`, from, at: timestamp(new Date(clock.now())) };
    for (const to of addresses) await mail.queue(tx, { kind: 'break_glass', to, facts, partnerId }, clock.now());
  },
  async ofOperator(tx: Tx, operatorId: number, from: string): Promise<void> {
    const { email } = await operators.find(tx, operatorId);
    const facts = { who: email, place: 'the operator console', from, at: timestamp(new Date(clock.now())) };
    for (const { email: to, role } of await operators.list(tx))
      if (role === 'admin') await mail.queue(tx, { kind: 'break_glass', to, facts, partnerId: null }, clock.now());
  },
});

/** What operators see of all of it. */
export async function showSso(db: Base['db'], { oidc }: Pick<Base['config'], 'oidc'>) {
  const [{ isRequired, breakGlass }, providers, domains] = await Promise.all([
    operators.ssoTerms(db),
    ssoProviders.list(db),
    ssoProviders.domains(db),
  ]);
  const partners = providers.map(async ({ partnerId, issuer, isRequired: required }) => {
    const { name } = await findPartner(db, partnerId);
    const own = domains.filter((one) => one.partnerId === partnerId);
    const shown = own.map(({ domain, confirmedAt }) => ({ domain, confirmed: confirmedAt !== null }));
    return { partner_id: partnerId, name, issuer, required, domains: shown };
  });
  return {
    operators: { issuer: oidc?.issuer.href ?? null, required: isRequired, break_glass: breakGlass },
    partners: await Promise.all(partners),
  };
}

const partner = integer('PARTNER_ID', 'the partner');

export const ssoActions = [
  action({
    name: 'sso show',
    console: 'shown',
    summary:
      'Show where people sign in with the accounts of their company, which mail domains wait for you, and whether it is required',
    run: ({ db, config }) => showSso(db, config),
  }),
  action({
    name: 'sso confirm',
    console: { may: 'manage', fresh: true },
    summary: 'Confirm that a mail domain is a partner’s: whoever their issuer says has an address in it may join them',
    options: {
      partner: required(partner),
      domain: required(text('DOMAIN', 'the domain, after you have verified whose it is')),
    },
    run: (context, input) =>
      change(context, 'sso confirm', async (tx) => {
        await ssoProviders.confirm(tx, input.partner, input.domain, context.who, context.clock.now());
        const result = { partner_id: input.partner, domain: input.domain };
        return { target: `partner ${input.partner}`, after: { domain: input.domain }, result };
      }),
  }),
  action({
    name: 'sso require',
    console: { may: 'manage', fresh: true },
    summary: 'Let operators in by single sign-on only, and one admin with password and second factor in case it fails',
    options: { operator: required(integer('OPERATOR_ID', 'the admin who keeps their password')) },
    run: (context, input) =>
      change(context, 'operator sso require', async (tx) => {
        if (!context.config.oidc) throw new Refused('sso_not_set');
        const { email, role, hasSecondFactor } = await operators.find(tx, input.operator);
        const hasPassword = (await operatorAccess.passwords.byEmail(tx, email)).length > 0;
        if (role !== 'admin' || !hasSecondFactor || !hasPassword) throw new Refused('no_break_glass');
        await operators.requireSso(tx, input.operator);
        return { target: 'operators', after: { break_glass: email }, result: { required: true, break_glass: email } };
      }),
  }),
  action({
    name: 'sso release',
    console: { may: 'manage', fresh: true },
    summary:
      'Stop requiring single sign-on, of a partner’s members or, without --partner, of operators: passwords work again',
    options: { partner },
    async run(context, input) {
      if (input.partner !== undefined) await requireSso(context, input.partner, undefined);
      else
        await change(context, 'operator sso release', async (tx) => {
          await operators.requireSso(tx, undefined);
          return { target: 'operators', result: undefined };
        });
      return { required: false };
    },
  }),
];
