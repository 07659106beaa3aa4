import { change } from '../audit/audit-log.ts';
import { Refused } from '../contract/refused.ts';
import { sql } from '../db/sql.ts';
import {
  codeRequired,
  type Device,
  endSessionsOfOperator,
  hashPassword,
  needsSecondFactor,
  type OperatorLinkHolder,
  type OperatorSession,
  openOperatorSession,
  operatorFactor,
  rememberOperatorPlace,
  requireOperatorLink,
  requireOperatorPassword,
  requirePasswordLength,
  setOperatorPassword,
  useOperatorLink,
  wrongCurrent,
} from '../people/people.ts';
import type { Actor } from './actor.ts';
import { oneUseAtATime } from './link-in-use.ts';

/** What operators do with their own password and second factor; each time the audit log gets an entry. */
type Desk = Pick<Actor, 'db' | 'clock' | 'vault'>;

export interface OperatorLinkUse extends Device {
  readonly token: string;
  readonly password: string;
  /** Of the second factor, if the operator has one. */
  readonly code?: string | undefined;
}

/** Uses a one-time link to set a password, ends the operator's sessions, and signs them in. */
export async function acceptOperatorLink(desk: Desk, link: OperatorLinkUse): Promise<string> {
  requirePasswordLength(link.password);
  return oneUseAtATime(link.token, async () =>
    // Before the expensive hash, as for members.
    accept(desk, await requireOperatorLink(desk.db, link.token, desk.clock.now()), link),
  );
}

async function accept(desk: Desk, { operatorId, email }: OperatorLinkHolder, link: OperatorLinkUse): Promise<string> {
  const { db, clock } = desk;
  // A link takes the place of a forgotten password, not of the second factor.
  const shown = await operatorFactor.requireCode(desk, operatorId, link.code, clock.now());
  const passwordHash = await hashPassword(link.password);
  return change({ db, who: `operator:${email}` }, 'operator password set by link', async (tx) => {
    const now = clock.now();
    await useOperatorLink(tx, link.token, now);
    // One that was turned on meanwhile was not asked for yet.
    if (shown === undefined && (await operatorFactor.isOn(tx, operatorId))) throw codeRequired();
    await setOperatorPassword(tx, operatorId, passwordHash);
    await rememberOperatorPlace(tx, operatorId, link, now);
    return { target: `operator ${operatorId}`, result: await openOperatorSession(tx, operatorId, now, link) };
  });
}

/** Changes an operator's own password and ends their other sessions. */
export async function changeOperatorPassword(
  actor: Desk & Pick<Actor, 'who'>,
  operator: OperatorSession,
  wanted: { readonly current: string; readonly password: string; readonly address: string; readonly token: string },
): Promise<void> {
  requirePasswordLength(wanted.password);
  const { operatorId } = operator;
  const given = { password: wanted.current, address: wanted.address };
  const proven = await requireOperatorPassword(actor.db, operator, given, actor.clock.now());
  const passwordHash = await hashPassword(wanted.password);
  await change(actor, 'operator password change', async (tx) => {
    // A link used meanwhile took the account back from somebody who knew the old password.
    const still = await tx.maybe(sql`
      select id from staff where id = ${operatorId} and password_hash = ${proven} for no key update`);
    if (!still) throw wrongCurrent();
    await setOperatorPassword(tx, operatorId, passwordHash, wanted.token);
    return { target: `operator ${operatorId}`, result: undefined };
  });
}

/** Turns the second factor on and ends the other sessions, which were opened without it. Returns the recovery codes. */
export function turnOnOperatorFactor(
  actor: Actor,
  { operatorId }: OperatorSession,
  given: { readonly code: string; readonly token: string },
): Promise<readonly string[]> {
  return change(actor, 'operator second factor on', async (tx) => {
    const codes = await operatorFactor.turnOn(tx, actor.vault, operatorId, given.code, actor.clock.now());
    await endSessionsOfOperator(tx, operatorId, given.token);
    return { target: `operator ${operatorId}`, result: codes };
  });
}

export function turnOffOperatorFactor(
  actor: Actor,
  { operatorId, role }: OperatorSession,
  panelUrl: URL,
): Promise<void> {
  return change(actor, 'operator second factor off', async (tx) => {
    if (needsSecondFactor(role, panelUrl))
      throw new Refused('second_factor_required', `the role ${role} needs a second factor; it cannot be turned off`);
    await operatorFactor.turnOff(tx, operatorId);
    return { target: `operator ${operatorId}`, result: undefined };
  });
}

export function newOperatorCodes(actor: Actor, { operatorId }: OperatorSession): Promise<readonly string[]> {
  return change(actor, 'operator recovery codes renew', async (tx) => ({
    target: `operator ${operatorId}`,
    result: await operatorFactor.renewCodes(tx, operatorId),
  }));
}
