import type { Partner, WorldName } from './model.ts';
import { type Attempt, sold } from './sale.ts';
import { buyingKey, type Draw, definite, hasOwnEsim, insist, type Scene, someOrder } from './scene.ts';
import { isRefillOf } from './terms.ts';

const SCENARIOS = ['', '', 'success', 'success', 'deferred', 'failed'];
const USAGES = ['', 'not_active', 'active', 'depleted', 'expired'];
/** How many equal requests leave at once. */
const COPIES = [1, 1, 1, 2, 3, 8, 20];

/** A purchase without a key, with a new one (several times at once), or with one that was used before. */
export const purchase: Draw = (scene) => {
  const { dice, model } = scene;
  const world: WorldName = dice.chance(60) ? 'live' : 'sandbox';
  const partner = dice.of(model.partners);
  const product = dice.of(model.plans);
  const kind = dice.of(['none', 'new', 'new', 'new', 'used', 'used', 'contested'] as const);
  const copies = dice.of(COPIES);
  const scenario = { name: dice.of(SCENARIOS), usage: dice.of(USAGES) };
  const used = kind === 'used' ? usedKey(scene, partner, world) : undefined;
  const key = kind === 'none' ? undefined : (used ?? `chaos-${scene.next()}`);
  const other = kind === 'contested' || (kind === 'used' && dice.chance(30)) ? dice.of(model.plans) : product;
  const of = { world, partner, key, scenario: world === 'sandbox' ? scenario : undefined };
  const attempts = Array.from({ length: kind === 'none' ? 1 : copies }, (_, n) => ({
    ...of,
    product: n % 2 === 0 ? other : product,
  }));
  const label = `${partner.id} buys ${attempts.length} × ${product.alias} in ${world}, key ${key ?? 'none'} ${scenario.name}`;
  const single = attempts.length === 1 && !used;
  return {
    label,
    beside: [...(single ? [] : [`calm sandbox ${partner.id}`]), `sandbox ${partner.id}`, `clock ${partner.id}`],
    run: async () => void (await Promise.all(attempts.map((attempt) => buy(scene, attempt)))),
  };
};

/** A key of this partner in this world whose order is known. */
function usedKey({ dice, model }: Scene, partner: Partner, world: WorldName): string | undefined {
  const keyed = model.ordersOf(partner, world).filter(({ key }) => key !== undefined);
  return keyed.length === 0 ? undefined : dice.of(keyed).key;
}

/** A refill of an existing eSIM: one that accepts it, or now and then one that does not. */
export const refill: Draw = (scene) => {
  const { dice, model } = scene;
  const of = someOrder(
    scene,
    (order) => hasOwnEsim(order) && !order.isOver && !order.refillOf && !model.refilling.has(order),
  );
  if (!of) return undefined;
  const { partner, world } = of;
  const fitting = model.products.filter((one) => isRefillOf(one, of));
  const others = model.products.filter((one) => one.fits && !isRefillOf(one, of));
  const among = fitting.length > 0 && dice.chance(85) ? fitting : others;
  if (among.length === 0) return undefined;
  const product = dice.of(among);
  const used = dice.chance(20) ? usedKey(scene, partner, world) : undefined;
  const key = used ?? `refill-${scene.next()}`;
  const scenario = world === 'sandbox' ? { name: dice.of(SCENARIOS), usage: '' } : undefined;
  const copies = dice.of([1, 1, 2, 4]);
  return {
    label: `${partner.id} refills ${copies} × ${of.iccid} with ${product.alias} in ${world}, key ${key} ${scenario?.name}`,
    beside: [`order ${world} ${of.id}`, `calm sandbox ${partner.id}`, `sandbox ${partner.id}`, `clock ${partner.id}`],
    run: async () => {
      const attempt = { world, partner, product, key, scenario, refillOf: of };
      await Promise.all(Array.from({ length: copies }, () => buy(scene, attempt)));
    },
  };
};

async function buy(scene: Scene, wanted: Omit<Attempt, 'recorded'>): Promise<void> {
  const { site, model } = scene;
  const { world, partner, product, key, scenario, refillOf } = wanted;
  const path = refillOf ? '/purchase/refill' : '/purchase/buy';
  const form = {
    ...(refillOf && { iccid: `${refillOf.iccid}` }),
    product_id: product.alias,
    ...(key !== undefined && { idempotency_key: key }),
    ...(scenario?.name && { sandbox_scenario: scenario.name }),
    ...(scenario?.usage && { sandbox_usage: scenario.usage }),
  };
  const ask = async () => {
    const order = key === undefined ? undefined : model.keyed(partner, world, key);
    const recorded = order && { order, state: order.state };
    const answer = definite(scene, await site.call(world, buyingKey(model, partner, world), path, form), 'a purchase');
    if (answer) sold(model, { ...wanted, recorded }, answer);
    return answer;
  };
  if (await ask()) return;
  if (key === undefined) model.strays.push({ world, partner, product, scenario });
  else scene.later(() => insist(`the purchase under ${key}`, ask).then(() => {}));
}
