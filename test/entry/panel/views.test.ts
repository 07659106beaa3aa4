import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import { testApp } from '../../support/program/app.ts';
import { signedInOperator } from '../../support/program/console.ts';
import { browser, signedIn, signedInAs } from '../../support/program/panel.ts';

/** Of all lists together. */
const MAX_VIEWS = 50;

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

const failed = { list: 'orders', name: 'Failed', filters: { status: 'failed', from: '2026-11-01' } };
const places = [
  ['panel', '/api/views', async () => signedIn(t, await t.partner())],
  ['console', '/operator/api/views', () => signedInOperator(t, 'read-only')],
] as const;

for (const [place, at, somebody] of places) {
  test(`${place}: a person saves the filters of a list under a name, renames and deletes them`, async () => {
    const ana = await somebody();
    const saved = await ana.post(at, { ...failed, name: ' Failed ' });
    assert.deepEqual([saved.status, saved.body], [200, { id: saved.body.id, ...failed }]);
    const other = (await ana.post(at, { ...failed, list: 'requests' })).body;
    assert.deepEqual((await ana.post(`${at}/${saved.body.id}`, { name: 'Lost' })).body.name, 'Lost');
    assert.deepEqual((await ana.get(at)).body.views, [{ ...saved.body, name: 'Lost' }, other]);
    assert.equal((await ana.post(`${at}/${saved.body.id}/delete`)).status, 200);
    assert.deepEqual((await ana.get(at)).body.views, [other]);
  });

  test(`${place}: to anybody else a view does not exist`, async () => {
    const [ana, ben] = [await somebody(), await somebody()];
    const { id } = (await ana.post(at, failed)).body;
    assert.deepEqual((await ben.get(at)).body.views, []);
    for (const [path, body] of [
      ['', { name: 'Mine' }],
      ['/delete', {}],
    ] as const) {
      const theirs = await ben.post(`${at}/${id}${path}`, body);
      const none = await ben.post(`${at}/999999999${path}`, body);
      assert.deepEqual([theirs.status, theirs.text], [404, none.text]);
      assert.equal(theirs.body.error.code, 'view_not_found');
    }
    assert.equal((await ana.get(at)).body.views[0].name, 'Failed');
    assert.equal((await browser(t).get(at)).status, 401);
  });

  test(`${place}: one name in one list, whatever its case, and no more views than the limit`, async () => {
    const ana = await somebody();
    const first = (await ana.post(at, failed)).body;
    const second = (await ana.post(at, { ...failed, name: 'Late' })).body;
    for (const answer of [
      await ana.post(at, { ...failed, name: 'FAILED' }),
      await ana.post(`${at}/${second.id}`, { name: 'failed' }),
    ])
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'view_exists']);
    assert.equal((await ana.post(`${at}/${first.id}`, { name: 'FAILED' })).status, 200);
    const more = Array.from({ length: MAX_VIEWS }, (_, i) => ana.post(at, { ...failed, name: `View ${i}` }));
    const statuses = (await Promise.all(more)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 200).length, MAX_VIEWS - 2);
    assert.equal((await ana.post(at, { ...failed, name: 'One more' })).body.error.code, 'view_limit_reached');
  });

  test(`${place}: a view from another site, or that is too large, is refused`, async () => {
    const ana = await somebody();
    const foreign = await ana.post(at, failed, { headers: { origin: 'https://evil.example' } });
    assert.deepEqual([foreign.status, foreign.body.error.code], [403, 'cross_origin']);
    const wide = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`f${'x'.repeat(i)}`, 'a']));
    for (const wrong of [
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { name: 'a\u0000b' },
      { list: '' },
      { list: 'Orders' },
      { filters: wide },
      { filters: { status: 'x'.repeat(201) } },
      { filters: { 'status"': 'x' } },
      { filters: { status: '' } },
      { filters: { status: 7 } },
      { filters: { target: '\ud800' } },
      { filters: null },
    ])
      assert.equal((await ana.post(at, { ...failed, ...wrong })).status, 400, JSON.stringify(wrong));
    assert.deepEqual((await ana.get(at)).body.views, []);
  });
}

test('the same person has other views at another partner, and they go with the place', async () => {
  const [one, two] = [await t.partner(), await t.partner()];
  const email = 'both@example.com';
  const [here, there] = [await signedInAs(t, one, 'read-only', email), await signedInAs(t, two, 'owner', email)];
  await here.post('/api/views', failed);
  assert.deepEqual((await there.get('/api/views')).body.views, []);
  const owner = await signedIn(t, one);
  const { members } = (await owner.get('/api/members')).body;
  const { id } = members.find((member: { email: string }) => member.email === email);
  assert.equal((await owner.post(`/api/members/${id}/remove`)).status, 200);
  assert.equal((await here.get('/api/views')).status, 401);
});

test('an operator viewing a panel neither sees nor saves views there', async () => {
  const partner = await t.partner();
  await (await signedIn(t, partner)).post('/api/views', failed);
  const view = Object.assign(browser(t), { cookie: (await signedInOperator(t)).cookie });
  await view.post(`/operator/api/partners/${partner}/view`);
  assert.deepEqual((await view.get('/api/views')).body, { views: [] });
  assert.equal((await view.post('/api/views', failed)).body.error.code, 'view_only');
});
