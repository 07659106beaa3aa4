import { startPerson } from '../../src/domains/partners/people/members.ts';
import { memberAccess, members, operatorAccess, operators } from '../../src/domains/partners/people/people.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Tx } from '../../src/platform/db/database.ts';
import { type Sql, sql } from '../../src/platform/db/query/sql.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { openBase } from '../../src/worlds/base.ts';

/** Cookies of people who are signed in: owners of the first partner, and administrators. Many, because each has a limit per minute. */
export interface People {
  readonly members: readonly string[];
  readonly operators: readonly string[];
}

const EACH = 40;
/** Has the form of a hash, and no password matches it. */
const NO_PASSWORD = `scrypt$15$8$3$${'A'.repeat(22)}$${'A'.repeat(43)}`;

export async function signIn(env: NodeJS.ProcessEnv): Promise<People> {
  const log = createLog('silent');
  await using base = await openBase({ config: readConfig(env), clock: systemClock, log, as: 'guest' });
  const now = Date.now();
  return await base.db.tx(async (tx) => {
    const found: { members: string[]; operators: string[] } = { members: [], operators: [] };
    // Those of an earlier run are still there.
    const known = async (table: Sql): Promise<number[]> =>
      (await tx.query<{ id: number }>(sql`select id from ${table} where email like 'scale%' order by id`)).map(
        ({ id }) => id,
      );
    const [knownMembers, knownOperators] = [await known(sql`members`), await known(sql`staff`)];
    for (let i = 0; i < EACH; i++) {
      const memberId = knownMembers[i] ?? (await newMember(tx, i, now));
      found.members.push(`wayfare_session=${await memberAccess.sessions.open(tx, memberId, now)}`);
      const operatorId = knownOperators[i] ?? (await newOperator(tx, base.vault.seal('never asked for'), i, now));
      found.operators.push(`wayfare_operator=${await operatorAccess.sessions.open(tx, operatorId, now)}`);
    }
    return found;
  });
}

async function newMember(tx: Tx, i: number, now: number): Promise<number> {
  const { memberId } = await members.create(tx, { partnerId: 1, email: `scale-${i}@example.com`, role: 'owner' }, now);
  await startPerson(tx, memberId, NO_PASSWORD);
  return memberId;
}

async function newOperator(tx: Tx, secondFactor: Buffer, i: number, now: number): Promise<number> {
  const { operatorId } = await operators.create(tx, { email: `scale-${i}@example.com`, role: 'admin' }, now);
  await tx.run(sql`
    insert into staff_second_factors (operator_id, secret, on_since) values (${operatorId}, ${secondFactor}, ${new Date(now)})`);
  return operatorId;
}
