import type { Tx } from '../../../../platform/db/database.ts';
import { sql } from '../../../../platform/db/query/sql.ts';

export const behaviours = ['deliver', 'delay', 'refuse', 'timeout', 'duplicate', 'break'] as const;
export type Behaviour = (typeof behaviours)[number];

/** Several suppliers can be simulated, and two of them may use one code for different plans. */
export const simulatedPlan = (slug: string, code: string): string => `${slug}/${code}`;

/** Returns the plan's previous behaviour. */
export async function setBehaviour(tx: Tx, slug: string, code: string, behaviour: Behaviour): Promise<Behaviour> {
  const plan = simulatedPlan(slug, code);
  const before = await tx.maybe<{ behaviour: Behaviour }>(sql`
    select behaviour from simulated.behaviours where plan = ${plan} for update`);
  await tx.run(sql`
    insert into simulated.behaviours (plan, behaviour) values (${plan}, ${behaviour})
    on conflict (plan) do update set behaviour = excluded.behaviour`);
  return before?.behaviour ?? 'deliver';
}
