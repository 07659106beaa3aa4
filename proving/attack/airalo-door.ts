import assert from 'node:assert/strict';
import { doorEndpoints } from '../../src/entry/api/airalo/door.ts';
import type { Shop } from '../../src/entry/api/airalo/endpoint.ts';
import { DAY, HOUR } from '../../src/platform/clock.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { eventually } from '../../test/support/eventually.ts';
import { airaloKey, type Credentials, doorClient } from '../../test/support/program/airalo-client.ts';
import { type Answer, type TestApp, testApp } from '../../test/support/program/app.ts';
import { run } from '../../test/support/program/operator.ts';
import { signedIn } from '../../test/support/program/panel.ts';
import { testPlan } from '../../test/support/sales/paid-order.ts';
import { catalogKnows, credit } from '../../test/support/sales/shop.ts';
import { receiver } from '../../test/support/servers/receiver.ts';
import type { Attack } from './attack.ts';

const endpoints = doorEndpoints({} as Shop);

/** What somebody owns, and what requests name. */
interface Loot {
  readonly iccid: string;
  readonly id: string;
}

interface Shot {
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly payload: Readonly<Record<string, unknown>> | undefined;
}

export const airaloDoor: Attack = {
  name: 'airalo-door',
  tries:
    'strangers, other partners, restricted and revoked keys, tokens of the other world and foreign pages call every address of the door for Airalo’s clients',
  async run(attempt) {
    await using hook = await receiver();
    await using t = await testApp({ config: { airaloDoor: true, webhookTrustedHosts: [hook.host] } });
    const plan = await testPlan(t, { price: 10, cost: 4 });
    const refill = await testPlan(t, { refills: [plan.code], title: 'more' });
    await catalogKnows(t, plan.alias);

    /** Every address, with input that takes effect if it is allowed. */
    const shots = ({ iccid, id }: Loot): Shot[] => {
      const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
        '/orders': { package_id: plan.alias, quantity: 1 },
        '/orders-async': { package_id: plan.alias, quantity: 1, webhook_url: hook.url },
        '/orders/topups': { package_id: refill.alias, iccid },
        '/notifications/opt-in': { type: 'async_orders', webhook_url: hook.url },
        '/notifications/opt-out': { type: 'async_orders' },
        '/simulator/webhook': { event: 'credit_limit_notification', webhook_url: hook.url },
      };
      return endpoints.map(({ verb, path: whole }) => {
        const path = whole.replace('/airalo/v2', '');
        const payload = verb === 'POST' ? inputs[path] : undefined;
        assert.ok(verb === 'GET' || payload, `say what POST ${path} is tried with`);
        return { name: `${verb} ${path}`, verb, path: path.replace('{iccid}', iccid).replace('{id}', id), payload };
      });
    };
    const owner = await customer(t, 'live', '', '500.00');
    const order = await owner.post('/orders', { package_id: plan.alias, quantity: 1, description: 'mine alone' });
    await owner.post('/notifications/opt-in', { type: 'async_orders', webhook_url: `${hook.url}/mine` });
    const { id, sims } = order.body.data;
    const loot: Loot = { iccid: sims[0].iccid, id: `${id}` };
    const nothing: Loot = { iccid: '8999999999999999999', id: '987654321' };
    const standing = async () => [
      (await owner.get('/balance')).text,
      (await owner.get('/orders')).text,
      (await owner.get(`/sims/${loot.iccid}/packages`)).text,
      (await owner.get('/notifications/opt-in')).text,
    ];
    const before = await standing();
    const all = shots(loot);

    /** Every address refuses these headers with this status, always in the same words. */
    const refused = async (who: string, status: number, headers: Record<string, string>, host: Credentials['mode']) => {
      const client = doorClient(t, { ...owner.credentials, mode: host });
      const texts = new Set<string>();
      for (const { name, ...shot } of all) {
        const answer = await client.ask(shot.path, request(shot, headers));
        assert.equal(answer.status, status, `${who}, ${name}: ${answer.text}`);
        texts.add(answer.text);
      }
      assert.equal(texts.size, 1, `${who}: ${[...texts].join(' ')}`);
      attempt.held(`${who}: ${status} from all ${all.length} addresses, in the same words`);
    };
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

    const member = await signedIn(t, owner.partnerId);
    const token = await owner.token();
    const other = await customer(t, 'live', '', '500.00');
    const [, clientId = '', rest = ''] = /^wfb_(\w{32})\.(.+)$/.exec(token) ?? [];
    await refused('a stranger without a token', 401, {}, 'live');
    await refused('the cookie of a member of the owner', 401, { cookie: member.cookie }, 'live');
    await refused('an API key as a token', 401, bearer(owner.apiKey), 'live');
    await refused('an API key in its own header', 401, { 'x-api-key': owner.apiKey }, 'live');
    await refused('a token signed for somebody else', 401, bearer(`wfb_${other.credentials.clientId}.${rest}`), 'live');
    await refused('a token that was made longer', 401, bearer(`wfb_${clientId}.z${rest}`), 'live');
    await refused('a token of the other world', 401, bearer(token), 'sandbox');

    const [unlisted, revoked, disabled] = [
      await customer(t, 'live', ' --allow 10.1.2.3', '50.00'),
      await customer(t, 'live', '', '50.00'),
      await customer(t, 'live', '', '50.00'),
    ];
    assert.equal((await unlisted.askToken(unlisted.tokenRequest)).status, 403, 'a token for another address');
    for (const one of [revoked, disabled]) assert.equal((await one.get('/balance')).status, 200);
    await run(t.operator(), `key revoke ${revoked.credentials.keyId}`);
    await run(t.operator(), `partner set ${disabled.partnerId} --disabled true`);
    for (const one of [revoked, disabled])
      await eventually('it is known', async () => (await one.get('/balance')).status === 401);
    await refused('a token whose key was revoked within its life', 401, bearer(await revoked.token()), 'live');
    await refused('a token of a disabled partner', 401, bearer(await disabled.token()), 'live');

    for (const [permissions, mayPost] of [
      ['read', []],
      ['buy', ['/orders', '/orders-async', '/orders/topups']],
      ['webhooks', ['/notifications/opt-in', '/notifications/opt-out', '/simulator/webhook']],
    ] as const) {
      const restricted = await customer(t, 'live', ` --permissions ${permissions}`, '50.00');
      for (const { name, ...shot } of all) {
        const isOpen =
          shot.verb === 'GET' ? permissions === 'read' : (mayPost as readonly string[]).includes(shot.path);
        const { status, text } = await restricted.with(shot);
        assert.equal(status === 403, !isOpen, `${permissions}, ${name}: ${status} ${text}`);
      }
      attempt.held(`a key that may only ${permissions}: 403 from everything else`);
    }

    const secrets = [loot.iccid, sims[0].matching_id, 'mine alone', `${hook.url}/mine`];
    const unknown = new Map(shots(nothing).map(({ name, ...shot }) => [name, shot]));
    for (const { name, ...shot } of all) {
      const answer = await other.with(shot);
      for (const secret of secrets) assert.ok(!answer.text.includes(secret), `${name} shows ${secret}`);
      if (!shot.path.includes(loot.iccid) && !shot.path.includes(`/${loot.id}`) && !shot.payload?.iccid) continue;
      const same = await other.with(unknown.get(name) as Omit<Shot, 'name'>);
      assert.deepEqual([answer.status, answer.text], [same.status, same.text], name);
      assert.ok(answer.status === 404 || answer.status === 422, `${name}: ${answer.status}`);
    }
    attempt.held('another partner: what is not theirs is answered byte by byte like what does not exist');

    for (const { name, ...shot } of all) {
      const headers = { origin: 'https://evil.example', cookie: member.cookie, 'sec-fetch-site': 'cross-site' };
      for (const method of [shot.verb, 'OPTIONS']) {
        const answer = await owner.ask(shot.path, { ...request(shot, headers), method });
        assert.ok(answer.status >= 400, `${method} ${name}: ${answer.status}`);
        const allowed = Object.keys(answer.headers).filter((header) => header.startsWith('access-control-'));
        assert.deepEqual(allowed, [], `${method} ${name}`);
      }
    }
    attempt.held('a foreign page: no cookie counts, and no header lets it read an answer');

    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        owner.askToken({ ...owner.tokenRequest, client_secret: `${'0'.repeat(40)}${n}` }),
      ),
    );
    assert.deepEqual([...new Set(guesses.map(({ status }) => status))].sort(), [401, 429]);
    attempt.held('guessing a secret: three tries a minute');

    t.clock.advance(DAY + HOUR);
    await refused('a token a day old', 401, bearer(token), 'live');
    owner.signOut();
    assert.deepEqual(await standing(), before, 'something of the owner has changed');
    const { due } = await t.base.worlds.live.db.one<{ due: number }>(sql`
      select count(*)::int as due from airalo_notices where key_id = ${owner.credentials.keyId}`);
    assert.equal(due, 0);
    attempt.held('and what the owner has is as it was');
  },
};

const request = ({ verb, payload }: Pick<Shot, 'verb' | 'payload'>, headers: Record<string, string>) => ({
  method: verb,
  headers: { ...headers, ...(payload && { 'content-type': 'application/json' }) },
  ...(payload && { body: JSON.stringify(payload) }),
});

/** A partner with money and a client of the door. */
async function customer(t: TestApp, mode: Credentials['mode'], options: string, usd: string) {
  const partnerId = await t.partner();
  await credit(t, partnerId, usd, 'promo');
  const [apiKey, credentials] = [await t.key(partnerId, mode), await airaloKey(t, partnerId, mode, options)];
  const client = doorClient(t, credentials);
  let token: string | undefined;
  return {
    partnerId,
    apiKey,
    credentials,
    ...client,
    async token(): Promise<string> {
      token ??= (await client.askToken(client.tokenRequest)).body.data.access_token as string;
      return token;
    },
    with: ({ verb, path, payload }: Omit<Shot, 'name'>): Promise<Answer> =>
      payload ? client.post(path, payload) : client.get(path, { method: verb }),
  };
}
