import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listChanges } from '../../src/audit-log.ts';
import { commands } from '../../src/operator/commands.ts';
import { testApp } from '../support/app.ts';
import { runAs, signedInOperator } from '../support/console.ts';
import { run } from '../support/operator.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const admin = await signedInOperator(t);

test('a command does the same in the console, and the log names the person', async () => {
  const made = await runAs(admin, 'partner create', { name: 'Alpine', email: 'a@example.com' });
  assert.equal(made.status, 200, made.text);
  const { partner_id } = made.body.result;
  const credited = await runAs(admin, 'wallet credit', { partner: String(partner_id), amount: '12.50', promo: true });
  assert.equal(credited.body.result.balance, '12.50');
  assert.deepEqual(
    await run(t.operator(), ['wallet', 'show', '--partner', String(partner_id)]).then((w) => w.promo),
    '12.50',
  );
  const [latest] = await listChanges(t.base.db, { target: undefined, who: `operator:${admin.email}`, limit: 1 });
  assert.equal(latest?.what, 'wallet credit');
});

test('what the command line refuses, the console refuses with the same words, and nothing changes', async () => {
  const refused = await runAs(admin, 'wallet credit', { partner: '1', amount: '-1' });
  assert.equal(refused.status, 400);
  assert.deepEqual(refused.body.error, { code: 'invalid_input', message: 'amount: "-1" is not an amount like 12.50.' });
  for (const input of [{ amount: '1' }, { partner: '1', amount: '1', other: 'x' }, { partner: '1', amount: true }])
    assert.equal((await runAs(admin, 'wallet credit', input as never)).body.error.code, 'invalid_input');
});

test('only commands that change something can be run, each at its own address', async () => {
  for (const { path, console: rule } of commands) {
    const isOffered = rule !== 'shown' && 'may' in rule;
    const answer = await admin.post(`/operator/api/run/${path.join('/')}`, {});
    assert.equal(answer.body.error.code, isOffered ? 'invalid_input' : 'not_found', path.join(' '));
  }
});
