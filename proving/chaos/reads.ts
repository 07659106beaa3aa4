import type { Order, Partner, WorldName } from './model.ts';
import { requireBlock } from './returns.ts';
import { inCents, minuteOf, observed } from './sale.ts';
import { type Draw, definite, hasOwnEsim, keyOf, type Scene, someOrder } from './scene.ts';
import type { Answer } from './site.ts';
import { requireThat } from './violation.ts';

/** Reads something as a partner and compares the answer with the model. */
function read(
  scene: Scene,
  partner: Partner,
  world: WorldName,
  path: string,
  check: (answer: Answer) => void,
): ReturnType<Draw> {
  return {
    label: `${partner.id} reads ${path} in ${world}`,
    beside: [`calm sandbox ${partner.id}`],
    async run() {
      const answer = definite(scene, await scene.site.call(world, keyOf(partner, world).key, path), path);
      if (answer) check(answer);
    },
  };
}

const STATUS = { delivered: '1', failed: '2', open: '4' } as const;
const stateOf = (status: string): Order['state'] =>
  status === STATUS.delivered ? 'delivered' : status === STATUS.failed ? 'failed' : 'open';

/** One order in full. Activation data is there once it is delivered, and never changes again. */
export const detail: Draw = (scene) => {
  const { dice, model, site } = scene;
  const { all, open } = model.living;
  if (all.length === 0) return undefined;
  const order = (dice.chance(50) ? undefined : open.at(-1)) ?? dice.of(all);
  let before = order.state;
  let minute = minuteOf(order);
  let refunded = order.refunded;
  const operation = read(scene, order.partner, order.world, `/order/detail/${order.id}`, ({ status, body }) => {
    requireThat(status === 200, `${order.world} order ${order.id} cannot be read`, body);
    const shown = body.order;
    const is = [shown.product_id, inCents(shown.sale_price), inCents(shown.product_price)];
    const must = [order.product.alias, order.price, order.list];
    requireThat(JSON.stringify(is) === JSON.stringify(must), `detail of order ${order.id}`, { is, must });
    const seen = stateOf(shown.status);
    observed(order, before, seen, order.reason);
    if (order.world === 'sandbox' && minute === 'yes')
      requireThat(seen !== 'open', `sandbox order ${order.id} is still deferred a minute later`);
    requireBlock(model, order, body.refund, refunded);
    requireEsim(order, seen, body.esim);
    if (body.esim.activationCode) site.secrets.add(body.esim.activationCode);
  });
  return (
    operation && {
      ...operation,
      run() {
        before = order.state;
        minute = minuteOf(order);
        refunded = order.refunded;
        return operation.run();
      },
    }
  );
};

function requireEsim(order: Order, seen: Order['state'], esim: Record<string, unknown>): void {
  const { iccid, activationCode } = esim;
  if (order.refillOf) {
    const isRight = activationCode === null && (seen !== 'delivered' || iccid === order.refillOf.iccid);
    requireThat(isRight, `refill ${order.id} has another eSIM`, iccid);
    return;
  }
  if (seen !== 'delivered') {
    requireThat(iccid === null && activationCode === null, 'activation data too early', esim.iccid);
    return;
  }
  requireThat(typeof iccid === 'string' && typeof activationCode === 'string', 'delivered without activation data');
  // The addresses of the QR picture and the traveller's page are the server's own, which change with its port.
  const text = JSON.stringify({ ...esim, qrcode_url: '', share_url: '' });
  requireThat(order.esim === undefined || order.esim === text, `the eSIM of order ${order.id} changed`, iccid);
  requireThat((order.iccid ?? iccid) === iccid, `order ${order.id} has another eSIM than before`, iccid);
  order.esim = text;
  order.iccid = iccid;
}

/** Newest first, none that failed, none of anybody else. */
export const list: Draw = (scene) => {
  const { dice, model } = scene;
  const [partner, world] = [dice.of(model.partners), dice.of(['live', 'sandbox'] as const)];
  return read(scene, partner, world, '/order/get?limit=100', ({ status, body }) => {
    requireThat(status === 200, 'orders cannot be read', body);
    const ids = body.order.map(({ id }: { id: string }) => Number(id));
    requireThat(
      ids.every((id: number, i: number) => i === 0 || id < ids[i - 1]),
      'orders are not newest first',
      ids,
    );
    for (const row of body.order) {
      const order = model.order(world, Number(row.id));
      if (!order) continue;
      requireThat(order.partner === partner, `partner ${partner.id} sees order ${order.id} of ${order.partner.id}`);
      requireThat(row.status !== STATUS.failed, `order ${order.id} failed and is listed`);
    }
    const recent = model
      .ordersOf(partner, world)
      .filter(({ state, round }) => state === 'delivered' && round < model.round);
    for (const order of recent.slice(-5))
      requireThat(ids.includes(order.id), `order ${order.id} is not listed`, ids.slice(0, 9));
  });
};

const USED: Readonly<Record<string, number>> = { '': 0, not_active: 0, active: 512, depleted: 1024 };

export const usage: Draw = (scene) => {
  const order = someOrder(scene, hasOwnEsim);
  if (!order) return undefined;
  return read(scene, order.partner, order.world, `/order/usage/${order.iccid}`, ({ status, body }) => {
    // A supplier that is cut off answers nothing, and says so.
    if (status === 404 && (order.world === 'live' || scene.model.mayLackUsage)) return;
    requireThat(status === 200 && body.usage.iccid === order.iccid, 'usage cannot be read', body);
    requireThat(body.usage.sale_id === order.id, 'usage of another order', body.usage);
    const used = order.scenario && order.refills.length === 0 && USED[order.scenario.usage];
    if (typeof used === 'number')
      requireThat(body.usage.used_mb === used, `usage in "${order.scenario?.usage}"`, body.usage);
  });
};

/** The reported balance is, to the cent, one it had while the request was running. */
export const money: Draw = (scene) => {
  const { dice, model } = scene;
  const [partner, world] = [dice.of(model.partners), dice.of(['live', 'sandbox'] as const)];
  const path = dice.of(['/account/balance', '/account/history?limit=20', '/account/statement?limit=20'] as const);
  const account = world === 'live' ? partner.wallet : partner.sandbox;
  const within = (usd: number | string, of: { least: number; most: number }, what: string) =>
    model.atClose(() => {
      const told = inCents(usd);
      requireThat(told >= of.least && told <= of.most, `${what} of ${partner.id}`, {
        told,
        least: of.least,
        most: of.most,
      });
    });
  return read(scene, partner, world, path, ({ status, body }) => {
    requireThat(status === 200, `${path} cannot be read`, body);
    if (path === '/account/balance') within(body.balance, account, 'balance');
    else if (world === 'sandbox') requireThat(body.ledger.length === 0, 'a sandbox ledger is not empty', body);
    else {
      if (body.balances) within(body.balances.debt, partner.debt, 'debt');
      else within(body.outstanding, partner.debt, 'outstanding');
      requireUnbroken(body.ledger);
    }
  });
};

/** Each line follows from the one before it. */
function requireUnbroken(ledger: readonly { amount: number | string; balance_after: number | string }[]): void {
  for (const [i, { amount, balance_after: after }] of ledger.entries()) {
    const older = ledger[i + 1];
    if (older)
      requireThat(inCents(older.balance_after) + inCents(amount) === inCents(after), 'a ledger skips a line', {
        older,
        amount,
        after,
      });
  }
}
