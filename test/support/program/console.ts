import {
  needsSecondFactor,
  type OperatorRole,
  operatorAccess,
  operators,
} from '../../../src/domains/partners/people/people.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { record, type TestApp } from './app.ts';
import { run } from './operator.ts';
import { type Browser, browser, PASSWORD, someEmail } from './panel.ts';

/** A new operator who is signed in to the console, without a password. They have the second factor their role needs. */
export async function signedInOperator(
  t: TestApp,
  role: OperatorRole = 'admin',
  email = someEmail(),
): Promise<Browser & { readonly email: string }> {
  const now = t.clock.now();
  const token = await t.base.db.tx(async (tx) => {
    const { operatorId } = await operators.create(tx, { email, role }, now);
    if (needsSecondFactor(role, t.base.config.panelUrl))
      await tx.run(sql`
        insert into staff_second_factors (operator_id, secret, on_since)
        values (${operatorId}, ${t.base.vault.seal('never asked for')}, ${new Date(now)})`);
    return operatorAccess.sessions.open(tx, operatorId, now);
  });
  record('secrets', `${token}\n`);
  return Object.assign(browser(t), { cookie: `wayfare_operator=${token}`, email });
}

/** Runs an action as the console does. */
export const runAs = (who: Browser, command: string, input: Readonly<Record<string, string | boolean | undefined>>) =>
  who.post(`/operator/api/run/${command.replaceAll(' ', '/')}`, { input });

/** The token of a new one-time link; without a role it is for somebody who is known, or a new admin. */
export async function operatorLink(t: TestApp, email: string, role?: OperatorRole): Promise<string> {
  const { link } = await run(t.operator(), ['operator', 'invite', '--email', email, ...(role ? ['--role', role] : [])]);
  return link.split('#')[1];
}

/** A new operator who has accepted the invitation with `PASSWORD`. */
export async function acceptedOperator(
  t: TestApp,
  role: OperatorRole,
  email = someEmail(),
): Promise<Browser & { readonly email: string }> {
  record('secrets', `${PASSWORD}\n`);
  const kim = browser(t);
  await kim.post('/operator/api/welcome', { token: await operatorLink(t, email, role), password: PASSWORD });
  return Object.assign(kim, { email });
}
