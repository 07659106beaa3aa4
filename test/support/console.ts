import { sql } from '../../src/db/sql.ts';
import { createOperator, needsSecondFactor, type OperatorRole, openOperatorSession } from '../../src/staff/staff.ts';
import { record, type TestApp } from './app.ts';
import { type Browser, browser, someEmail } from './panel.ts';

/** A new operator who is signed in to the console, without a password. They have the second factor their role needs. */
export async function signedInOperator(
  t: TestApp,
  role: OperatorRole = 'admin',
  email = someEmail(),
): Promise<Browser & { readonly email: string }> {
  const now = t.clock.now();
  const token = await t.base.db.tx(async (tx) => {
    const { operatorId } = await createOperator(tx, { email, role }, now);
    if (needsSecondFactor(role, t.base.config.panelUrl))
      await tx.run(sql`
        insert into staff_second_factors (operator_id, secret, on_since)
        values (${operatorId}, ${t.base.vault.seal('never asked for')}, ${new Date(now)})`);
    return openOperatorSession(tx, operatorId, now);
  });
  record('secrets', `${token}\n`);
  return Object.assign(browser(t), { cookie: `wayfare_operator=${token}`, email });
}

/** Runs a command as the console does. */
export const runAs = (who: Browser, command: string, input: Readonly<Record<string, string | boolean>>) =>
  who.post(`/operator/api/run/${command.replaceAll(' ', '/')}`, { input });
