import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import { withInput } from '../../../src/entry/console/run.ts';
import { listChanges } from '../../../src/platform/audit/audit-log.ts';
import { testApp } from '../../support/program/app.ts';
import { runAs, signedInOperator } from '../../support/program/console.ts';
import { run } from '../../support/program/operator.ts';
import { paidOrder, testPlan } from '../../support/sales/paid-order.ts';

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

test('what the command line refuses, the console refuses in the words of a page, and nothing changes', async () => {
  const refusal = async (command: string, input: object) => (await runAs(admin, command, input as never)).body.error;
  const invalid = (message: string, field?: string) => ({ code: 'invalid_input', message, ...(field && { field }) });
  const credit = (input: object) => refusal('wallet credit', { partner: '1', amount: '1', ...input });
  assert.deepEqual(await credit({ amount: '-1' }), invalid('Amount: "-1" is not an amount like 12.50.', 'amount'));
  assert.deepEqual(await credit({ partner: '' }), invalid('Partner is missing.', 'partner'));
  assert.deepEqual(await credit({ partner: 'x' }), invalid('Partner: "x" is not a whole number.', 'partner'));
  assert.deepEqual(await credit({ other: 'x' }), invalid('There is no field “other”.'));
  assert.deepEqual(await credit({ amount: true }), invalid('Amount needs a value.'));
  assert.deepEqual(
    await refusal('catalog product set', { product: 'esc_0123456789abcdef' }),
    invalid('Nothing to change: give “price”, “cost” or “on sale”.'),
  );
});

test('a refusal has the status of what it means, and names no option on a page', async () => {
  const { partner_id } = (await runAs(admin, 'partner create', { name: 'Dolomiti', email: 'd@example.com' })).body
    .result;
  const partner = String(partner_id);
  await runAs(admin, 'partner set', { id: partner, billing: 'postpaid', 'credit-limit': '100' });
  const sold = String((await paidOrder(t, { partnerId: partner_id, plan: await testPlan(t) })).id);
  const answers = [
    ['refund approve', { id: '999999' }, 404, 'order_not_found'],
    ['refund approve', { id: sold, version: 'none' }, 404, 'refund_not_found'],
    ['supplier test', { supplier: 'nobody' }, 404, 'supplier_not_found'],
    ['pricing rule remove', { id: '999999' }, 404, 'rule_not_found'],
    ['wallet payment', { partner, amount: '5000' }, 409, 'payment_too_large'],
    ['wallet adjust', { partner, subtract: '5000', note: 'n' }, 409, 'insufficient_balance'],
    ['order refund', { id: sold, amount: '5000', version: 'none' }, 409, 'refund_too_large'],
  ] as const;
  for (const [command, input, status, code] of answers) {
    const answer = await runAs(admin, command, input);
    assert.deepEqual([answer.status, answer.body.error?.code], [status, code], command);
    assert.doesNotMatch(answer.body.error.message, /--|`/);
  }
});

test('only actions that change something can be run, each at its own address', async () => {
  for (const { name, console: rule } of actions) {
    const isOffered = rule !== 'shown' && 'may' in rule;
    const answer = await admin.post(`/operator/api/run/${name.replaceAll(' ', '/')}`, {});
    assert.equal(answer.body.error.code, isOffered ? 'invalid_input' : 'not_found', name);
  }
});

test('whatever field of whatever action is wrong, a page names it by its label, never as an option or a placeholder', async () => {
  for (const { name, console: rule, args = {}, options = {} } of actions) {
    if (rule === 'shown' || 'never' in rule) continue;
    for (const [field, { isSwitch, placeholder }] of Object.entries({ ...args, ...options })) {
      const label = field.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());
      const wrong = { [field]: isSwitch ? 'yes' : '%%' };
      const message = await withInput(
        { options: { [field]: { ...args, ...options }[field] as never } },
        wrong,
        () => {},
      ).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (message === undefined) continue;
      assert.ok(message.startsWith(label), `${name}: ${message}`);
      assert.doesNotMatch(message, /--/, `${name}: ${message}`);
      if (/^[A-Z]+_ID$/.test(placeholder)) assert.ok(!message.includes(placeholder), `${name}: ${message}`);
    }
  }
});

test('what is wrong with several fields names each of them as a page does', async () => {
  const requeue = await runAs(admin, 'webhook requeue', {});
  assert.equal(requeue.body.error.message, 'Give one of delivery id, “subscription” and “mode”.');
  const add = { scope: 'product', target: 'x', share: '5' };
  assert.equal((await runAs(admin, 'pricing rule add', add)).body.error.message, 'A product rule needs “price”.');
});
