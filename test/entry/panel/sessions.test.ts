import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { memberAccess } from '../../../src/domains/partners/people/people.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { record, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';
import { accepted, type Browser, browser, ORIGIN, PASSWORD, signedIn } from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partner = await t.partner();
const isIn = async (ana: Browser) => {
  const { status, body } = await ana.get('/api/me');
  assert.ok(status === 200 || body.error.code === 'sign_in_required');
  return status === 200;
};
const at = (cookie: string) => Object.assign(browser(t), { cookie });

suite('a session ends', () => {
  test('at sign-out, also for somebody who kept the cookie', async () => {
    const ana = await signedIn(t, partner);
    const kept = at(ana.cookie);
    const { status, headers } = await ana.post('/api/sign-out');
    assert.deepEqual([status, ana.cookie], [200, 'wayfare_session=']);
    assert.match(String(headers['set-cookie']), /Max-Age=0/);
    assert.deepEqual([await isIn(ana), await isIn(kept)], [false, false]);
    assert.equal((await ana.post('/api/sign-out')).status, 200);
  });

  test('after 12 hours without a request, and not before', async () => {
    const ana = await signedIn(t, partner);
    for (let i = 0; i < 3; i += 1) {
      t.clock.advance(12 * HOUR - 2 * MINUTE);
      assert.equal(await isIn(ana), true);
    }
    t.clock.advance(12 * HOUR + SECOND);
    assert.equal(await isIn(ana), false);
  });

  test('after 30 days, however busy', async () => {
    const ana = await signedIn(t, partner);
    // Never idle for as long as would end it.
    const step = 11 * HOUR;
    for (let open = 0; open < 30 * DAY; open += step) {
      assert.equal(await isIn(ana), true);
      t.clock.advance(step);
    }
    assert.equal(await isIn(ana), false);
  });

  test('when the password is changed, everywhere but where it was', async () => {
    const ana = await accepted(t, partner);
    const elsewhere = browser(t);
    await elsewhere.post('/api/sign-in', { email: ana.email, password: PASSWORD });
    const wrong = await ana.post('/api/password', { current: 'not this one', password: 'a new password' });
    assert.deepEqual([wrong.status, wrong.body.error.code], [403, 'wrong_password']);
    const short = await ana.post('/api/password', { current: PASSWORD, password: 'short' });
    assert.equal(short.body.error.code, 'password_too_short');
    assert.equal(await isIn(elsewhere), true);
    assert.equal((await ana.post('/api/password', { current: PASSWORD, password: 'a new password' })).status, 200);
    assert.deepEqual([await isIn(ana), await isIn(elsewhere)], [true, false]);
    const enter = (password: string) => browser(t).post('/api/sign-in', { email: ana.email, password });
    assert.deepEqual([(await enter(PASSWORD)).status, (await enter('a new password')).status], [401, 200]);
  });

  test('when its person signs in once more than allowed: the least recently used one', async () => {
    const first = await signedIn(t, partner);
    const { id } = (await first.get('/api/me')).body.member;
    const open = async () => {
      t.clock.advance(SECOND);
      const token = await t.base.db.tx((tx) => memberAccess.sessions.open(tx, id, t.clock.now()));
      record('secrets', `${token}\n`);
      return at(`wayfare_session=${token}`);
    };
    const second = await open();
    t.clock.advance(MINUTE);
    assert.equal(await isIn(first), true);
    for (let i = 1; i < memberAccess.register.maxSessions; i += 1) await open();
    const left = await t.base.db.one<{ n: number }>(
      sql`select count(*)::int as n from sessions where member_id = ${id}`,
    );
    assert.deepEqual([left.n, await isIn(first), await isIn(second)], [memberAccess.register.maxSessions, true, false]);
  });

  test('for requests that began before it, too: what they ask is not done', async () => {
    const ana = await signedIn(t, partner);
    const body = JSON.stringify({ mode: 'live', allow_list: '' });
    const head = `host: panel.test\r\norigin: ${ORIGIN}\r\ncookie: ${ana.cookie}\r\ncontent-type: application/json\r\n`;
    const socket = connect(t.port, '127.0.0.1');
    socket.write(
      `POST /api/keys HTTP/1.1\r\n${head}content-length: ${body.length}\r\nexpect: 100-continue\r\nconnection: close\r\n\r\n${body.slice(0, 9)}`,
    );
    // It has begun: the server asks for the rest.
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 /);
    assert.equal((await ana.post('/api/sign-out')).status, 200);
    socket.write(body.slice(9));
    assert.match((await buffer(socket)).toString(), /^HTTP\/1.1 401 .*sign_in_required/s);
  });

  test('a password is changed from the one that was proven: of two changes at once, one counts', async () => {
    const ana = await accepted(t, partner);
    const wanted = ['the first password', 'the other password'];
    const both = await Promise.all(
      wanted.map((password) => ana.post('/api/password', { current: PASSWORD, password })),
    );
    assert.deepEqual(both.map(({ body }) => body.error?.code).sort(), ['wrong_password', undefined]);
    const password = wanted[both.findIndex(({ status }) => status === 200)];
    assert.equal((await browser(t).post('/api/sign-in', { email: ana.email, password })).status, 200);
  });

  test('when its member is removed', async () => {
    const [ana, other] = [await accepted(t, partner), await accepted(t, partner)];
    const { id } = (await ana.get('/api/me')).body.member;
    assert.equal((await other.post(`/api/members/${id}/remove`)).status, 200);
    assert.deepEqual([await isIn(ana), await isIn(other)], [false, true]);
  });

  test('when its partner is disabled, and does not come back with it; when it is closed', async () => {
    const gone = await t.partner();
    const ana = await signedIn(t, gone);
    await run(t.operator(), `partner set ${gone} --disabled true`);
    assert.equal(await isIn(ana), false);
    await run(t.operator(), `partner set ${gone} --disabled false`);
    assert.equal(await isIn(ana), false);
    const again = await signedIn(t, gone);
    await run(t.operator(), `partner delete ${gone}`);
    assert.equal(await isIn(again), false);
  });
});

test('the database has the hash of a token; when it was last seen is written once a minute at the most', async () => {
  t.clock.freeze();
  const ana = await signedIn(t, partner);
  const token = ana.cookie.split('=')[1] ?? '';
  const row = () =>
    t.base.db.one<{ text: string; seen: Date; version: string }>(sql`
      select s::text as text, last_seen_at as seen, xmin::text as version from sessions s
      where hash = sha256(${token}::text::bytea)`);
  const before = await row();
  assert.ok(!before.text.includes(token));
  t.clock.advance(59 * SECOND);
  await ana.get('/api/me');
  assert.equal((await row()).version, before.version);
  t.clock.advance(SECOND);
  await ana.get('/api/me');
  assert.equal((await row()).seen.getTime(), t.clock.now());
});

test('the cookie: no script reads it, no other site sends it; on https its name and Secure bind it to the host', async () => {
  const ana = await accepted(t, partner);
  const enter = () => browser(t).post('/api/sign-in', { email: ana.email, password: PASSWORD });
  const plain = String((await enter()).headers['set-cookie']);
  assert.match(plain, /^wayfare_session=wfs_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  await using secure = await testApp({ config: { panelUrl: new URL('https://panel.test') } });
  const { link } = await run(
    secure.operator(),
    `member invite --partner ${await secure.partner()} --email a@example.com`,
  );
  assert.match(link, /^https:\/\/panel\.test\/welcome#/);
  const headers = { origin: 'https://panel.test' };
  const body = { token: link.split('#')[1], password: PASSWORD };
  const browsing = browser(secure);
  const set = String((await browsing.post('/api/welcome', body, { headers })).headers['set-cookie']);
  assert.match(
    set,
    /^__Host-wayfare_session=wfs_[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.equal((await browsing.get('/api/me')).status, 200);
});

test('a request from another site, or one that does not say where from, is refused before anything else', async () => {
  const ana = await signedIn(t, partner);
  const post = async (headers: Record<string, string>) =>
    (await t.ask('/api/sign-out', { host: 'panel', method: 'POST', headers: { cookie: ana.cookie, ...headers } })).body
      .error?.code;
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://panel.test.evil.example' },
    { origin: 'https://panel.test' },
    { origin: 'http://panel.test:8080' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[]) {
    assert.equal(await post(headers), 'cross_origin', JSON.stringify(headers));
  }
  const v3 = await t.ask('/api/sandbox/v3/account/sandboxReset', {
    host: 'panel',
    method: 'POST',
    headers: { cookie: ana.cookie, origin: 'https://evil.example' },
  });
  assert.deepEqual([v3.status, v3.body.error.code], [403, 'cross_origin']);
  assert.equal(await isIn(ana), true);
  assert.equal(await post({ 'sec-fetch-site': 'same-origin' }), undefined);
  assert.equal((await ana.post('/api/sign-out', {}, { headers: { origin: ORIGIN } })).status, 200);
});

test('without a session every address but the ways in is 401, and unknown ones are 404; both as JSON', async () => {
  const stranger = browser(t);
  const some = [
    '/api/me',
    '/api/members',
    '/api/keys',
    '/api/sandbox/webhooks',
    '/api/live/webhook-events',
    '/api/live/notices',
    '/api/sandbox/clock',
  ];
  for (const path of [...some, '/api/live/v3/account/balance', '/api/sandbox/v3/nothing']) {
    for (const cookie of ['', 'wayfare_session=', 'wayfare_session=wfs_x', 'other=1']) {
      const { status, body, headers } = await at(cookie).get(path);
      assert.deepEqual(
        [status, body.error.code, headers['cache-control']],
        [401, 'sign_in_required', 'private, no-store'],
      );
    }
  }
  for (const path of ['/api/', '/api/nothing', '/api/keys/1/2/3', '/api/welcome']) {
    const { status, body } = await stranger.get(path);
    assert.deepEqual([status, body.error.code], [404, 'not_found'], path);
  }
  assert.equal((await stranger.get('/api/me', { method: 'PUT' })).status, 404);
});

test('a request that is cut off logs no error', async () => {
  const lines = () => t.logged.filter((line) => line.includes('"path":"/api/sign-in"'));
  const before = lines().length;
  const socket = connect(t.port, '127.0.0.1');
  const head = `host: panel.test\r\norigin: ${ORIGIN}\r\ncontent-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue\r\n\r\n`;
  socket.write(`POST /api/sign-in HTTP/1.1\r\n${head}{"email":`);
  assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1\.1 100 /, 'it is being read');
  socket.destroy();
  const line = await eventually('it was given up', async () => lines()[before]);
  assert.equal(JSON.parse(line).status, 400);
  assert.deepEqual(
    t.logged.filter((line) => line.startsWith('{"level":"error"')),
    [],
  );
});
