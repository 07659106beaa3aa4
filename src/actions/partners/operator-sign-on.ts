import {
  type Operator,
  type OperatorRole,
  operatorAccess,
  operatorRoles,
  operators,
} from '../../domains/partners/people/people.ts';
import { operatorIdentities } from '../../domains/partners/single-sign-on/single-sign-on.ts';
import { change } from '../../platform/audit/audit-log.ts';
import { Refused } from '../../platform/contract/refused.ts';
import type { Identity } from '../../platform/oidc/oidc.ts';
import type { OidcSettings } from '../../platform/settings/oidc.ts';
import type { Base } from '../../worlds/base.ts';

type Desk = Pick<Base, 'db' | 'clock'>;

/**
 * Signs an operator in whom their company's issuer knows; the token of the session is in the answer. The first time they are found by
 * their address, from then on by the issuer's own name for them. With a claim for roles, the issuer also decides who is an operator.
 */
export async function signInBySso(
  desk: Desk,
  settings: OidcSettings,
  identity: Identity,
  device: { readonly address: string; readonly userAgent: string },
): Promise<string> {
  const { db, clock } = desk;
  const role = roleOf(settings, identity);
  const known = (await operatorIdentities.find(db, identity)) ?? (await link(desk, identity, role));
  if (role !== undefined && role !== known.role) await follow(desk, known, role);
  return db.tx((tx) => operatorAccess.sessions.open(tx, known.operatorId, clock.now(), { ...device, isSso: true }));
}

/** The strongest of the roles that the claim gives; undefined: the issuer does not decide. */
function roleOf({ roleClaim, roles }: OidcSettings, { claims }: Identity): OperatorRole | undefined {
  if (roleClaim === undefined) return undefined;
  const given = [claims[roleClaim]].flat().map((value) => roles.get(String(value)));
  const role = operatorRoles.names.find((name) => given.includes(name));
  if (role === undefined) throw new Refused('sso_no_role');
  return role;
}

function link({ db, clock }: Desk, identity: Identity, role: OperatorRole | undefined): Promise<Operator> {
  const { email, issuer } = identity;
  if (email === undefined) throw new Refused('sso_unverified_address');
  return change({ db, who: `operator:${email}` }, 'operator sso link', async (tx) => {
    const now = clock.now();
    const invited = await operators.byEmail(tx, email);
    if (!invited && role === undefined) throw new Refused('sso_not_invited');
    const operator = invited ?? (await operators.create(tx, { email, role: role as OperatorRole }, now));
    if (!(await operatorIdentities.link(tx, operator.operatorId, identity, now))) throw new Refused('sso_other_person');
    return {
      target: `operator ${operator.operatorId}`,
      after: { email, role: operator.role, issuer },
      result: operator,
    };
  });
}

/** The role they have at their company today. */
function follow({ db }: Desk, { operatorId, email, role: was }: Operator, role: OperatorRole): Promise<void> {
  return change({ db, who: `operator:${email}` }, 'operator sso role', async (tx) => {
    await operators.setRole(tx, operatorId, role);
    return {
      target: `operator ${operatorId}`,
      before: { email, role: was },
      after: { email, role },
      result: undefined,
    };
  });
}
