import { charge, end } from './ledger.ts';
import type { Model, Order, Partner, Product, WorldName } from './model.ts';
import type { Batch } from './records.ts';
import { inCents, newOrder, observed } from './sale.ts';
import { buyingKey, type Draw, definite, insist, type Scene } from './scene.ts';
import type { Answer } from './site.ts';
import { deliverers, partnerPrice } from './terms.ts';
import { requireThat } from './violation.ts';

interface Wanted {
  readonly world: WorldName;
  readonly partner: Partner;
  readonly key: string;
  /** One for each eSIM. */
  readonly products: readonly Product[];
  readonly scenario: Order['scenario'];
}

/** Several eSIMs with one decision about money: new, sent several times at once, or under a key that was used before. */
export const batch: Draw = (scene) => {
  const { dice, model } = scene;
  const world: WorldName = dice.chance(60) ? 'live' : 'sandbox';
  const partner = dice.of(model.partners);
  const lines = Array.from({ length: 1 + dice.below(3) }, () => ({
    product: dice.of(model.plans),
    quantity: 1 + dice.below(4),
  }));
  const products = lines.flatMap(({ product, quantity }) => Array<Product>(quantity).fill(product));
  const used = dice.chance(30) ? someKey(scene, partner, world) : undefined;
  const key = used?.key ?? `batch-${scene.next()}`;
  const isSame = used?.batch !== undefined && dice.chance(70);
  const scenario =
    world === 'sandbox' ? { name: dice.of(['', 'success', 'deferred', 'failed']), usage: '' } : undefined;
  const wanted = { world, partner, key, products: isSame ? (used?.batch?.products ?? products) : products, scenario };
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} buys ${copies} × a batch of ${wanted.products.length} in ${world}, key ${key} ${scenario?.name}`,
    alone: [`key ${world} ${partner.id} ${key}`],
    // The answer does not say in which mode it was charged.
    beside: [
      `calm sandbox ${partner.id}`,
      `sandbox ${partner.id}`,
      `clock ${partner.id}`,
      `partner set ${partner.id} --billing`,
    ],
    run: async () => void (await Promise.all(Array.from({ length: copies }, () => buy(scene, wanted)))),
  };
};

function someKey({ dice, model }: Scene, partner: Partner, world: WorldName) {
  const keyed = model.ordersOf(partner, world).filter(({ key }) => key !== undefined);
  if (keyed.length === 0) return undefined;
  const { key } = dice.of(keyed);
  return { key, batch: model.batch(partner, world, key as string) };
}

async function buy(scene: Scene, wanted: Wanted): Promise<void> {
  const { site, model } = scene;
  const { world, partner, key, products, scenario } = wanted;
  const items = JSON.stringify(products.map(({ alias }) => ({ product_id: alias })));
  const form = { items, idempotency_key: key, ...(scenario?.name && { sandbox_scenario: scenario.name }) };
  const ask = async () => {
    const recorded = model.keyed(partner, world, key) !== undefined;
    const sent = await site.call(world, buyingKey(model, partner, world), '/purchase/batch', form);
    const answer = definite(scene, sent, 'a batch');
    if (answer) sold(model, { ...wanted, recorded }, answer);
    return answer;
  };
  if (!(await ask())) scene.later(() => insist(`the batch under ${key}`, ask).then(() => {}));
}

/** Applies a definite answer to a batch to the model, or reports what is wrong with it. */
function sold(model: Model, attempt: Wanted & { readonly recorded: boolean }, { status, body }: Answer): void {
  const { world, partner, key, products, recorded } = attempt;
  const what = `a batch was answered ${status} ${body.error ?? ''}`;
  const inLive = world === 'live';
  switch (`${status} ${body.error ?? ''}`.trim()) {
    case '202':
      placed(model, attempt, body);
      break;
    case '402 insufficient_balance':
    case '403 credit_limit_exceeded': {
      const isCredit = status === 403;
      requireThat(inLive ? partner.billing.has(isCredit ? 'postpaid' : 'prepaid') : !isCredit, what, body);
      requireThat(!recorded && body.order_id === undefined, `${what} though it is on record`, body);
      const sum = inCents(body.required);
      requireThat(sums(products, partner).has(sum), `${what} for another sum`, {
        body,
        sums: [...sums(products, partner)],
      });
      model.atClose(() => {
        if (isCredit) {
          const owed = partner.debt.most + sum;
          requireThat(owed > Math.min(...partner.creditLimit.all), `${what} though the limit has room`, { owed });
        } else {
          const { least } = inLive ? partner.wallet : partner.sandbox;
          requireThat(least < sum, `${what} though there was enough`, { least, sum });
        }
      });
      break;
    }
    case '403 partner_account_suspended':
      requireThat(inLive && partner.suspended.has(true) && !recorded, `${what}, and is not`, body);
      break;
    case '404 product_not_found':
      requireThat(products[body.item]?.onSale.has(false) && !recorded, `${what}, and it is on sale`, body);
      break;
    case '409 idempotency_key_conflict':
      model.atClose(() => {
        const owner = model.keyed(partner, world, key);
        const same = model.batch(partner, world, key);
        requireThat(owner && !(same && isSame(same, products)), `${what} without another content`, body);
      });
      break;
    default:
      requireThat(false, what, body);
  }
}

const isSame = (one: Batch, products: readonly Product[]) =>
  one.products.length === products.length && one.products.every((product, i) => product === products[i]);

/** Every total that the prices in force allow. */
function sums(products: readonly Product[], partner: Partner): Set<number> {
  const distinct = [...new Set(products)];
  let all = new Set([0]);
  for (const product of distinct) {
    const count = products.filter((one) => one === product).length;
    const prices = product.list.all.map((list) => partnerPrice(list, product.costMicros, partner.marginShare));
    all = new Set([...all].flatMap((sum) => prices.map((price) => sum + price * count)));
  }
  return all;
}

function placed(model: Model, attempt: Wanted, body: Answer['body']): void {
  const { world, partner, key, products, scenario } = attempt;
  const known = model.batch(partner, world, key);
  const ids = body.orders.map(({ id }: { id: string }) => Number(id));
  requireThat(body.count === products.length && ids.length === products.length, 'a batch of another size', body.count);
  if (known) {
    requireThat(isSame(known, products), 'a batch with other items was replayed', body);
    const is = [body.batch_id, inCents(body.charged), ids];
    const must = [known.id, known.charged, known.orders.map(({ id }) => id)];
    requireThat(JSON.stringify(is) === JSON.stringify(must), 'a batch was sold twice', { is, must });
    return;
  }
  const isPlayed = scenario?.name === 'failed';
  const orders = body.orders.map((row: Answer['body'], i: number) => {
    const product = products[i] as Product;
    const [list, price] = [inCents(row.product_price), inCents(row.sale_price)];
    requireThat(row.product_id === product.alias && product.list.has(list), 'a batch sold something else', row);
    requireThat(price === partnerPrice(list, product.costMicros, partner.marginShare), 'charged another price', row);
    const state = row.status === '1' ? 'delivered' : row.status === '2' ? 'failed' : 'open';
    const reason = isPlayed ? 'sandbox_scenario' : state === 'failed' ? 'provider_rejected' : '';
    const mode = world === 'sandbox' ? 'prepaid' : undefined;
    const order = newOrder(
      model,
      { world, partner, product, key: i === 0 ? key : undefined, scenario },
      {
        id: ids[i] as number,
        list,
        price,
        billing: mode ?? partner.billing.value,
        state: isPlayed ? 'failed' : 'open',
        reason,
        wasPaid: !isPlayed,
      },
    );
    order.isBatched = true;
    model.add(order);
    return { order, state, reason };
  });
  const charged = isPlayed ? 0 : orders.reduce((sum: number, { order }: { order: Order }) => sum + order.price, 0);
  requireThat(inCents(body.charged) === charged, 'a batch was charged another sum', { charged, body: body.charged });
  model.addBatch({
    id: body.batch_id,
    world,
    partner,
    products,
    charged,
    orders: orders.map(({ order }: { order: Order }) => order),
  });
  if (body.warnings) partner.queueWasFull = true;
  if (isPlayed) return;
  if (world === 'live') requireThat(partner.suspended.has(false), 'sold to a suspended account', body);
  for (const { order, state, reason } of orders) {
    charge(order);
    if (state === 'failed')
      requireThat(
        world === 'live' && deliverers(order).every(({ behaviour }) => behaviour.has('refuse')),
        'a batch order failed',
        order.id,
      );
    if (state === 'delivered') observed(order, 'open', 'delivered', '');
    if (state === 'failed') end(order, 'failed', reason);
  }
}
