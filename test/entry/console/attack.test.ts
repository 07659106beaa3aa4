import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { TSchema } from 'typebox';
import { Create } from 'typebox/value';
import { operatorRoles } from '../../../src/domains/partners/people/people.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { endpoints } from '../../../src/entry/api/endpoints.ts';
import type { OperatorAction } from '../../../src/entry/console/action.ts';
import { consoleActions } from '../../../src/entry/console/api.ts';
import { panelActions } from '../../../src/entry/panel/api.ts';
import type { OpenAction } from '../../../src/entry/site/json/action.ts';
import { MINUTE } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { type Answer, testApp } from '../../support/program/app.ts';
import { acceptedOperator, signedInOperator } from '../../support/program/console.ts';
import { type Browser, browser, signedIn } from '../../support/program/panel.ts';

// PANEL_URL is http://panel.test: others can reach it, so the second factor is mandatory for admin and finance.
const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();

const NOWHERE = '999999999';
const FOREIGN = 'https://elsewhere.example';

// Only listed here: none of them is handled.
const listed: readonly (OperatorAction | OpenAction)[] = consoleActions(t.base, {} as Services);
const actions = listed.filter((action): action is OperatorAction => action.signedIn);
const nameOf = ({ verb, path }: { readonly verb: string; readonly path: string }) => `${verb} ${path}`;
const codeOf = ({ body }: Answer): string | undefined => body?.error?.code ?? body?.error;

type Address = Pick<OperatorAction, 'verb'> & { readonly path: string; readonly body?: TSchema | undefined };

/** Parameters filled in with what does not exist, and the emptiest body that has the right form. */
function ask(by: Browser, { verb, path, body }: Address, origin?: string): Promise<Answer> {
  const filled = path.replace('{mode}', 'sandbox').replaceAll(/\{\w+\}/g, NOWHERE);
  const more = origin === undefined ? {} : { headers: { origin } };
  if (verb === 'GET') return by.get(filled, more);
  return by.post(filled, body === undefined ? {} : (Create(body as TSchema) as object), more);
}

/** What an attack could have changed: the log has an entry of every change. */
const state = () =>
  t.base.db.one<{ changes: number; people: number }>(sql`
    select (select count(*)::int from audit_log) as changes,
      (select count(*)::int from staff) + (select count(*)::int from staff_sessions) as people`);

test('there is something to attack, and every address is below /operator/api/', () => {
  assert.ok(actions.length > 40, `${actions.length} actions`);
  assert.equal(new Set(listed.map(nameOf)).size, listed.length);
  for (const { path } of listed) assert.match(path, /^\/operator\/api\//);
});

suite('every address of the console', () => {
  const refused = async (
    by: Browser,
    status: number,
    code: string,
    of: readonly Address[] = actions,
    origin?: string,
  ) => {
    const before = await state();
    for (const action of of) {
      t.clock.advance(MINUTE / 60);
      const answer = await ask(by, action, origin);
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], `${nameOf(action)}: ${answer.text}`);
    }
    assert.deepEqual(await state(), before, 'nothing has changed');
  };

  test('as a stranger: 401, whatever is sent', () => refused(browser(t), 401, 'sign_in_required'));

  test('as the owner of a partner: 401, even with their cookie under the console’s name', async () => {
    const owner = await signedIn(t, partner);
    await refused(owner, 401, 'sign_in_required');
    const disguised = Object.assign(browser(t), { cookie: owner.cookie.replace('session', 'operator') });
    await refused(disguised, 401, 'sign_in_required');
  });

  test('as an operator viewing a partner’s panel: its cookie opens nothing here', async () => {
    const kim = await signedInOperator(t, 'read-only');
    const view = browser(t);
    view.cookie = kim.cookie;
    assert.equal((await view.post(`/operator/api/partners/${partner}/view`)).status, 200);
    assert.match(view.cookie, /^wayfare_session=wfv_/);
    await refused(view, 401, 'sign_in_required');
    view.cookie = view.cookie.replace('session', 'operator');
    await refused(view, 401, 'sign_in_required');
  });

  for (const role of operatorRoles.names)
    test(`as ${role}: what the role does not allow is one refusal, and the rest is not refused for it`, async () => {
      const refusals = new Set<string>();
      for (const action of actions) {
        // Somebody new each time: some actions end sessions, and each person has their own rate limit.
        const kim = await signedInOperator(t, role);
        const answer = await ask(kim, action);
        const isForbidden = codeOf(answer) === 'role_forbids';
        assert.equal(isForbidden, !operatorRoles.may(role, action.may), `${nameOf(action)} as ${role}: ${answer.text}`);
        assert.notEqual(answer.status, 500, `${nameOf(action)}: ${answer.text}`);
        if (isForbidden) refusals.add(`${answer.status} ${answer.text}`);
      }
      assert.equal(refusals.size, role === 'admin' ? 0 : 1);
      for (const refusal of refusals) assert.match(refusal, /^403 /);
    });

  for (const role of ['admin', 'finance'] as const)
    test(`as ${role} without the second factor: only what sets it up`, async () => {
      const kim = await acceptedOperator(t, role);
      const open = actions.filter(({ beforeSecondFactor }) => beforeSecondFactor);
      await refused(
        kim,
        403,
        'second_factor_required',
        actions.filter((action) => !open.includes(action)),
      );
      for (const action of open.filter(({ verb }) => verb === 'GET'))
        assert.equal((await ask(kim, action)).status, 200, nameOf(action));
      assert.deepEqual(
        open.map(nameOf).filter((name) => !/\/(me|confirm|password|second-factor.*|passkeys.*|sessions.*)$/.test(name)),
        [],
        'nothing else is open before it',
      );
    });

  test('from another site: every change is refused, for every person signed in', async () => {
    const changes = listed.filter(({ verb }) => verb === 'POST');
    await refused(await signedInOperator(t), 403, 'cross_origin', changes, FOREIGN);
    await refused(browser(t), 403, 'cross_origin', changes, FOREIGN);
  });

  test('what is fresh is refused five minutes after the password was given', async () => {
    const fresh = actions.filter((action) => action.fresh);
    assert.ok(fresh.length > 5);
    const kim = await signedInOperator(t);
    t.clock.advance(5 * MINUTE);
    await refused(kim, 403, 'confirmation_required', fresh);
  });

  test('what is not there is answered as JSON, and says nothing', async () => {
    const kim = await signedInOperator(t);
    for (const by of [kim, browser(t)]) {
      const answer = await by.get('/operator/api/nothing');
      assert.deepEqual([answer.status, codeOf(answer)], [404, 'not_found']);
    }
  });
});

suite('every address of the panel', () => {
  const addresses: readonly Address[] = [
    ...panelActions(t.base, {} as Services).filter(({ signedIn }) => signedIn),
    ...endpoints.map(({ verb, path }) => ({ verb, path: `/api/{mode}/v3${path}` })),
    { verb: 'POST', path: '/api/sandbox/try' },
    { verb: 'POST', path: '/api/{mode}/purchases' },
  ];

  test('with an operator’s cookie: 401, even under the panel’s name', async () => {
    const kim = await signedInOperator(t);
    for (const cookie of [kim.cookie, kim.cookie.replace('operator', 'session')]) {
      const disguised = Object.assign(browser(t), { cookie });
      for (const action of addresses) {
        const answer = await ask(disguised, action);
        assert.deepEqual([answer.status, codeOf(answer)], [401, 'sign_in_required'], nameOf(action));
      }
    }
  });

  test('while an operator views it: everything but the member’s own settings can be read, every change is refused', async () => {
    const kim = await signedInOperator(t, 'support');
    const view = Object.assign(browser(t), { cookie: kim.cookie });
    await view.post(`/operator/api/partners/${partner}/view`);
    const before = await state();
    for (const action of addresses) {
      t.clock.advance(MINUTE / 60);
      const answer = await ask(view, action);
      const isOwn = /^\/api\/(second-factor|passkeys|sessions)$/.test(action.path);
      const isTheirs = ['GET /api/sso', 'GET /api/{mode}/purchases'].includes(nameOf(action));
      if (action.verb === 'POST' || isOwn)
        assert.deepEqual([answer.status, codeOf(answer)], [403, 'view_only'], `${nameOf(action)}: ${answer.text}`);
      else if (isTheirs) assert.equal(codeOf(answer), 'role_forbids');
      else assert.ok(![401, 403, 500].includes(answer.status), `${nameOf(action)}: ${answer.text}`);
    }
    assert.deepEqual(await state(), before);
  });
});
