import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { listChanges } from '../../src/audit-log.ts';
import { testApp } from '../support/app.ts';
import { run } from '../support/operator.ts';
import { browser, PASSWORD, someEmail } from '../support/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

const invited = async (email: string, ...more: string[]): Promise<string> =>
  (await run(t.operator(), ['operator', 'invite', '--email', email, ...more])).link.split('#')[1];

suite('a one-time link', () => {
  test('lets an operator choose a password, signs them in, and works once', async () => {
    const email = someEmail();
    const token = await invited(email, '--role', 'support');
    const ana = browser(t);
    assert.deepEqual((await ana.post('/operator/api/welcome/show', { token })).body, { email });
    assert.equal((await ana.post('/operator/api/welcome', { token, password: PASSWORD })).status, 200);
    assert.match(ana.cookie, /^wayfare_operator=wfo_/);
    assert.equal((await ana.get('/operator/api/me')).body.operator.email, email);
    assert.equal((await browser(t).post('/operator/api/welcome', { token, password: PASSWORD })).status, 404);
    assert.equal((await browser(t).post('/operator/api/welcome/show', { token })).status, 404);
    const [entry] = await listChanges(t.base.db, { target: undefined, who: `operator:${email}`, limit: 1 });
    assert.equal(entry?.what, 'operator password set by link');
    const later = browser(t);
    assert.equal((await later.post('/operator/api/sign-in', { email, password: PASSWORD })).status, 200);
    assert.equal((await later.get('/operator/api/me')).body.operator.role, 'support');
  });
});
