import type { Subscription } from './events.ts';
import type { Proof } from './ledger.ts';
import type { Order, Product } from './model.ts';
import { chainOf } from './replacements.ts';
import { definite, insist, keyOf, type Scene } from './scene.ts';
import { restock } from './stock.ts';
import { requireThat } from './violation.ts';

/**
 * Everything in progress must now finish: suppliers and receivers behave, everything that waits is made due, and the server is killed
 * once more, so that no process holds a lease while waits are cut short. Paused subscriptions are resumed; disabled ones must recover
 * by themselves.
 */
export async function behave(scene: Scene): Promise<void> {
  const { site, model, events } = scene;
  await restock(scene);
  const deliver = async ({ alias, behaviour }: Product) => {
    behaviour.propose('deliver');
    await command(scene, 'supplier', 'simulate', alias, '--behaviour', 'deliver');
    behaviour.confirm('deliver');
  };
  await Promise.all(model.products.filter(({ isStock }) => !isStock).map(deliver));
  for (const receiver of site.receivers) receiver.answer = 200;
  const disabled = await disabledIds(scene);
  const resume = async ({ id }: Subscription) => {
    if (!disabled.has(id)) await command(scene, 'webhook', 'resume', `${id}`);
    await command(scene, 'webhook', 'requeue', '--subscription', `${id}`);
  };
  await Promise.all(events.subscriptions.map(resume));
  await site.kill();
  await site.snapshot(async (client) => {
    await client.query('update simulated.orders set ready_at = now() where ready_at > now()');
    await client.query('update live.orders set provision_due_at = now() where provision_due_at is not null');
    await client.query(
      "update sandbox.orders set provision_due_at = now() where provision_due_at is not null and delivery = ''",
    );
    for (const world of ['live', 'sandbox']) {
      await client.query(`update ${world}.orders set cancel_due_at = now() where cancel_due_at is not null`);
      await client.query(`update ${world}.esim_replacements set due_at = now() where due_at is not null`);
      await client.query(`update ${world}.refunds set due_at = now() where due_at is not null`);
      await client.query(`update ${world}.webhook_queue set due_at = now()`);
      await client.query(`update ${world}.webhook_subscriptions set comeback_at = now() where status = 3`);
    }
  });
  await readRuled(scene, 0);
  await site.restart();
}

/** eSIMs that refill themselves are read again now: after a refill the next reading is minutes away. */
async function readRuled({ site, model }: Scene, leaseSeconds: number): Promise<void> {
  for (const world of ['live', 'sandbox']) {
    const ids = [...model.refilling].filter((order) => order.world === world).map(({ id }) => id);
    if (ids.length === 0) continue;
    await site.nudge(
      `update ${world}.autorefills set due_at = now() where order_id = any($1) and due_at > now() + $2 * interval '1 second'`,
      [ids, leaseSeconds],
    );
    await site.nudge(
      `update ${world}.usage_readings set fresh_until = '-infinity'
      where iccid in (select iccid from ${world}.orders where id = any($1)) and asking_until < now()`,
      [ids],
    );
    await site.nudge(
      `update ${world}.orders set watch_due_at = now() where id = any($1) and withdrawn_at is null and status = 1`,
      [ids],
    );
  }
}

function disabledIds({ site }: Scene): Promise<ReadonlySet<number>> {
  return site.snapshot(async (client) => {
    const of = (world: string) => `select id::int from ${world}.webhook_subscriptions where status = 3`;
    const { rows } = await client.query(`${of('live')} union all ${of('sandbox')}`);
    return new Set(rows.map(({ id }) => id));
  });
}

async function command({ site }: Scene, ...words: string[]): Promise<void> {
  const ended = await site.operator(...words);
  requireThat(ended.outcome === 'done', `${words.join(' ')} failed`, ended);
}

/** Deferred sandbox orders wait for their minute and then for a reader. */
export async function readDeferred(scene: Scene): Promise<void> {
  const { site, model } = scene;
  for (const partner of model.partners) {
    const waiting = model.ordersOf(partner, 'sandbox').filter(({ state }) => state === 'open');
    if (waiting.length === 0) continue;
    for (const order of waiting) order.minuteIsOver = 'yes';
    await command(scene, 'sandbox', 'clock', 'advance', '--partner', `${partner.id}`, '--by', '61s');
    const read = ({ id }: Order) =>
      insist(`sandbox order ${id}`, async () => {
        const answer = definite(
          scene,
          await site.call('sandbox', keyOf(partner, 'sandbox').key, `/order/detail/${id}`),
          'detail',
        );
        return answer?.body.order.status === '1' ? answer : undefined;
      });
    await Promise.all(waiting.map(read));
  }
}

/** The ledger's proof passes, no supplier was asked twice for one order, no secret was logged. */
export async function prove({ site }: Scene): Promise<Proof> {
  const ended = await site.operator('audit');
  requireThat(ended.outcome === 'done' && ended.result.ok === true, 'the audit finds a drift', ended);
  const twice = await site.snapshot(async (client) => {
    const { rows } = await client.query('select reference, calls from simulated.orders where calls > 1');
    return rows;
  });
  requireThat(twice.length === 0, 'ordered twice at the supplier', twice);
  site.requireNoSecretLogged();
  return ended.result;
}

/** Details of orders that are still open, for the report of one that never finished. */
export function openOrders({ site }: Scene): Promise<unknown[]> {
  return site.snapshot(async (client) => {
    const of = (world: string) => `
      select '${world}' as world, id, supplier, delivery_reason as reason, provision_due_at as due, provision_attempts as attempts,
        cancel_status as cancel, now() as now from ${world}.orders where status = 4`;
    return (await client.query(`${of('live')} union all ${of('sandbox')} limit 20`)).rows;
  });
}

/** Longer than anybody holds a refund or a replacement while a supplier is asked. */
const LEASE_SECONDS = 15;
const RULE_LEASE_SECONDS = 31;

/** A supplier that seemed silent once more is asked again now: after many tries the next one is an hour away. */
export async function hurry(scene: Scene): Promise<void> {
  const { site, model } = scene;
  await readRuled(scene, RULE_LEASE_SECONDS);
  for (const { world, id } of model.living.open) if (world === 'live') await site.operator('order', 'retry', `${id}`);
  await site.snapshot(async (client) => {
    for (const table of ['live.refunds', 'live.esim_replacements'])
      await client.query(`update ${table} set due_at = now() where due_at > now() + $1 * interval '1 second'`, [
        LEASE_SECONDS,
      ]);
  });
}

/** Details of refunds and replacements that are not at their end, for the report of one that never was. */
export function unsettledReturns({ site, model }: Scene): Promise<unknown[]> {
  const chain = (order: Order) => chainOf(order).map(({ id, state, withdrawal }) => [id, state, withdrawal]);
  return site.snapshot(async (client) => {
    const of = (world: string) => `
      select '${world}' as world, order_id::int as id, status, due_at, attempts, now() as now from ${world}.refunds where status = 'withdrawing'
      union all select '${world}', old_order_id::int, status, due_at, attempts, now() from ${world}.esim_replacements where due_at is not null`;
    const { rows } = await client.query(`${of('live')} union all ${of('sandbox')} limit 20`);
    return rows.map((row) => {
      const order = model.order(row.world, row.id);
      return { ...row, chain: order && chain(order) };
    });
  });
}

/** What is on record of the orders whose events are missing, for the report. */
export function ordersOfMissing({ site }: Scene, missing: readonly string[]): Promise<unknown[]> {
  const idsOf = (world: string) => missing.flatMap((line) => line.match(`of ${world} order (\\d+)`)?.[1] ?? []);
  return site.snapshot(async (client) => {
    const rowsOf = async (world: string) => {
      const select = `
        select '${world}' as world, id::int, batch_id::int as batch, created_at, paid_at, delivery, delivery_reason as reason,
          provision_attempts as attempts, events_ahead from ${world}.orders where id = any($1)`;
      return (await client.query(select, [idsOf(world)])).rows;
    };
    return [...(await rowsOf('live')), ...(await rowsOf('sandbox'))];
  });
}

/** Details of deliveries that are still queued, for the report of one that never arrived. */
export function deliveriesUnderWay({ site }: Scene): Promise<unknown[]> {
  return site.snapshot(async (client) => {
    const of = (world: string) => `
      select '${world}' as world, delivery.id, event_id, delivery.subscription_id, subscription.status as subscription_status,
        delivery.status, delivery.attempts, delivery.error, due_at, now() as now
      from ${world}.webhook_deliveries as delivery
      join ${world}.webhook_subscriptions as subscription on subscription.id = delivery.subscription_id
      left join ${world}.webhook_queue on delivery_id = delivery.id where delivery.status <> 'sent'`;
    return (await client.query(`${of('live')} union all ${of('sandbox')} limit 20`)).rows;
  });
}
