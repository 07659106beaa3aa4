import { change } from '../audit/audit-log.ts';
import { Refused } from '../contract/refused.ts';
import { sql } from '../db/sql.ts';
import {
  endSessionsOfPerson,
  findMember,
  renewRecoveryCodes,
  type Session,
  turnOff,
  turnOn,
} from '../people/people.ts';
import type { Actor } from './actor.ts';

/** Turns a member's second factor on and ends their other sessions, which were opened without it. Returns the recovery codes. */
export function turnOnSecondFactor(
  actor: Actor,
  { memberId, personId }: Session,
  given: { readonly code: string; readonly token: string },
): Promise<readonly string[]> {
  return change(actor, 'second factor on', async (tx) => {
    const codes = await turnOn(tx, actor.vault, personId, given.code, actor.clock.now());
    await endSessionsOfPerson(tx, personId, given.token);
    return { target: `member ${memberId}`, result: codes };
  });
}

export function turnOffSecondFactor(actor: Actor, { memberId, personId }: Session): Promise<void> {
  return change(actor, 'second factor off', async (tx) => {
    await turnOff(tx, personId);
    return { target: `member ${memberId}`, result: undefined };
  });
}

export function newRecoveryCodes(actor: Actor, { memberId, personId }: Session): Promise<readonly string[]> {
  return change(actor, 'recovery codes renew', async (tx) => ({
    target: `member ${memberId}`,
    result: await renewRecoveryCodes(tx, personId),
  }));
}

/** For an operator: the way back in for somebody who lost their phone and their recovery codes. */
export function resetSecondFactor(actor: Actor, memberId: number): Promise<void> {
  return change(actor, 'member reset-second-factor', async (tx) => {
    const { partnerId, email } = await findMember(tx, memberId);
    const person = await tx.one<{ personId: number | null }>(sql`
      select person_id as "personId" from members where id = ${memberId}`);
    if (person.personId === null) throw new Refused('second_factor_off', `${email} has not accepted the invitation`);
    await turnOff(tx, person.personId);
    await endSessionsOfPerson(tx, person.personId);
    const before = { email, second_factor: true };
    const after = { email, second_factor: false };
    return { target: `member ${memberId}`, partnerId, before, after, result: undefined };
  });
}
