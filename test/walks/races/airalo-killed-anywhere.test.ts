import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createKey } from '../../../src/domains/partners/keys/keys.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../../support/eventually.ts';
import { type Answer, type BreakableServer, breakableServer } from '../../support/servers/breakable-server.ts';
import { type Receiver, receiver } from '../../support/servers/receiver.ts';

let hook: Receiver;
let s: BreakableServer;
let authorization: string;

before(async () => {
  hook = await receiver();
  const settings = { AIRALO_DOOR: 'on', WEBHOOK_TRUSTED_HOSTS: hook.host };
  s = await breakableServer(1_000_000n, ['order.created'], { budgetSeconds: 1, settings });
  const { client } = await s.base.db.tx((tx) =>
    createKey(tx, { partnerId: s.partnerId, mode: 'live', isAiralo: true }, s.base.vault.seal),
  );
  const token = await post('/token', {
    client_id: client?.clientId,
    client_secret: client?.clientSecret,
    grant_type: 'client_credentials',
  });
  authorization = `Bearer ${token?.body.data.access_token}`;
});
after(async () => {
  await s[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

/** Undefined: no answer came. */
async function post(path: string, payload: object): Promise<Answer | undefined> {
  try {
    const answer = await fetch(`${s.url}/airalo/v2${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
      body: JSON.stringify(payload),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

const orderLater = (description: string) =>
  post('/orders-async', { package_id: s.product, quantity: 2, type: 'sim', description, webhook_url: hook.url });

/** What the receiver has been told, by the description of the order. */
const told = (description: string) =>
  hook.received.map(({ body }) => JSON.parse(body)).filter(({ data }) => data?.description === description);

const isPaid = async (description: string): Promise<boolean> => {
  const { orders } = await s.base.worlds.live.db.one<{ orders: number }>(sql`
    select count(*)::int as orders from orders where reference = ${description}`);
  assert.ok(orders === 0 || orders === 2, `${description}: ${orders} of 2 orders`);
  return orders > 0;
};

/**
 * Every kill in the middle of a try counts as one, and a webhook that was not taken is sent again after 15 minutes. What waits longer than
 * a process may hold it is due at once, so that the schedules, which have tests of their own, do not outlast this one.
 */
async function bringForward(): Promise<void> {
  const { db } = s.base.worlds.live;
  await db.run(sql`
    update orders set provision_due_at = now() where provision_due_at > now() + interval '15 seconds'`);
  await db.run(sql`update airalo_notices set due_at = now() where due_at > now() + interval '65 seconds'`);
}

test('an asynchronous order killed at any step is told by its webhook if it is paid, and otherwise never happened', {
  timeout: 600_000,
}, async (t) => {
  assert.equal((await orderLater('warm'))?.status, 202);
  const steps = await s.countSteps(async () => {
    assert.equal((await orderLater('counted'))?.status, 202);
  });
  assert.ok(steps.some((label) => label.startsWith('before commit')) && steps.length >= 15, steps.join(' | '));

  const accepted = new Map<string, string>();
  for (const [i, label] of steps.entries())
    await s.breakAt(i + 1, 'kill', async () => {
      const answer = await orderLater(`killed-${i + 1}`);
      if (!answer) return;
      assert.equal(answer.status, 202, `${label}: ${JSON.stringify(answer.body)}`);
      accepted.set(`killed-${i + 1}`, answer.body.data.request_id);
    });

  let paid = 0;
  for (const [i, label] of steps.entries()) {
    const name = `killed-${i + 1}`;
    assert.ok(!accepted.has(name) || (await isPaid(name)), `${label}: accepted, and not there`);
    if (!(await isPaid(name))) continue;
    paid += 1;
    const [{ data, request_id } = assert.fail()] = await eventually(`the webhook of ${name} (${label})`, async () => {
      const came = told(name);
      if (came.length > 0) return came;
      await bringForward();
      return undefined;
    });
    assert.equal(data.sims.length, 2, name);
    assert.equal(request_id, accepted.get(name) ?? request_id, name);
    assert.equal(new Set(told(name).map((one) => one.request_id)).size, 1, name);
  }
  // How many follow from how far a busy machine gets in a request's second.
  assert.ok(paid > 0 && paid < steps.length, `${paid} of ${steps.length} were paid`);
  t.diagnostic(`killed at ${steps.length} steps, ${paid} of them paid`);
});
