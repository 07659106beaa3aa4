import { type Behaviour, behaviours, type Model, type Partner, type Product } from './model.ts';
import { Possible } from './possible.ts';
import { type Draw, insist, keyOf, type Operation, type Scene, settled } from './scene.ts';
import { deliverers } from './terms.ts';
import { requireThat } from './violation.ts';

/** A command that gives one setting a value; while it runs both values may be in force. */
export function change<T>(scene: Scene, setting: Possible<T>, value: T, words: readonly string[]): Operation {
  return {
    label: words.join(' '),
    alone: [words.slice(0, 4).join(' ')],
    async run() {
      setting.propose(value);
      const ended = settled(scene, await scene.site.operator(...words), words.join(' '));
      requireThat(ended?.outcome !== 'refused', `${words.join(' ')} was refused`, ended);
      if (ended) setting.confirm(value);
    },
  };
}

const set = (partner: Partner, option: string, value: string) => ['partner', 'set', `${partner.id}`, option, value];

export const suspend: Draw = (scene) => {
  const partner = scene.dice.of(scene.model.partners);
  const value = !partner.suspended.value;
  // A suspended account buys nothing, so it is soon released.
  if (value && !scene.dice.chance(30)) return undefined;
  return change(scene, partner.suspended, value, set(partner, '--suspended', `${value}`));
};

export const limitCredit: Draw = (scene) => {
  const partner = scene.dice.of(scene.model.partners);
  const cents = 1_000 + scene.dice.below(40_000);
  return change(scene, partner.creditLimit, cents, set(partner, '--credit-limit', (cents / 100).toFixed(2)));
};

export const switchBilling: Draw = (scene) => {
  const partner = scene.dice.of(scene.model.partners);
  const value = partner.billing.value === 'prepaid' ? 'postpaid' : 'prepaid';
  return change(scene, partner.billing, value, set(partner, '--billing', value));
};

const product = (one: Product, option: string, value: string) => [
  'catalog',
  'product',
  'set',
  one.alias,
  option,
  value,
];

export const reprice: Draw = (scene) => {
  const one = scene.dice.of(scene.model.plans);
  const cents = Math.ceil(one.costMicros / 10_000) + scene.dice.below(1_500);
  return change(scene, one.list, cents, product(one, '--price', (cents / 100).toFixed(2)));
};

export const takeOffSale: Draw = (scene) => {
  const one = scene.dice.of(scene.model.plans);
  const value = !one.onSale.value;
  if (scene.model.products.some(({ alternates }) => alternates.includes(one))) return undefined;
  if (!value && scene.model.plans.filter(({ onSale }) => onSale.value).length < 4) return undefined;
  return change(scene, one.onSale, value, product(one, '--on-sale', `${value}`));
};

export const misbehave: Draw = (scene) => {
  const one = scene.dice.of(scene.model.products.filter(({ isStock }) => !isStock));
  const value: Behaviour = one.behaviour.value === 'deliver' ? scene.dice.of(behaviours) : 'deliver';
  const words = ['supplier', 'simulate', one.alias, '--behaviour', value];
  const operation = change(scene, one.behaviour, value, words);
  return {
    ...operation,
    run() {
      if (value === 'refuse') markRefusable(scene.model, one);
      return operation.run();
    },
  };
};

/** Orders on their way may not have reached the supplier yet. */
function markRefusable(model: Model, product: Product): void {
  for (const order of model.living.open) if (deliverers(order).includes(product)) order.mayRefuse.add(product);
}

/** A new key takes over, the old one is revoked and must soon be refused everywhere. */
export const replaceKey: Draw = (scene) => {
  const { dice, model, site } = scene;
  const partner = dice.of(model.partners);
  const world = partner.keepsSandboxKey ? 'live' : dice.of(['live', 'sandbox'] as const);
  const old = keyOf(partner, world);
  const words = ['key', 'create', '--partner', `${partner.id}`, '--mode', world];
  return {
    label: `${words.join(' ')}, key revoke ${old.id}`,
    alone: [`keys ${partner.id}`],
    async run() {
      const ended = settled(scene, await site.operator(...words), 'key create');
      if (!ended) return scene.later(() => revokeStrangers(scene, partner));
      requireThat(ended.outcome === 'done', 'a key was refused', ended);
      await adopt(scene, partner, world, ended.result);
      old.revoked.propose(true);
      const ask = async () => {
        const ended = settled(scene, await site.operator('key', 'revoke', `${old.id}`), 'key revoke');
        if (ended) old.revoked.confirm(true);
        return ended;
      };
      if (!(await ask())) scene.later(() => insist('key revoke', ask).then(() => {}));
    },
  };
};

/** Keys whose creation was never confirmed would fill the account's limit. */
async function revokeStrangers({ site }: Scene, partner: Partner): Promise<void> {
  const known = new Set([...partner.keys.live, ...partner.keys.sandbox].map(({ id }) => id));
  const ended = await insist('key list', async () => {
    const listed = await site.operator('key', 'list', '--partner', `${partner.id}`);
    return listed.outcome === 'done' ? listed : undefined;
  });
  for (const { key_id: id, permissions } of ended.result)
    if (!known.has(id) && permissions === 'unrestricted')
      await insist('key revoke', async () => (await site.operator('key', 'revoke', `${id}`)).outcome);
}

export const CEILINGS = ['catalog', 'read', 'purchase', 'money', 'outbound'].map((tier) => `${tier}=1000000`).join(',');

/** A key joins the model once nothing limits it. */
export async function adopt(
  { site }: Pick<Scene, 'site'>,
  partner: Partner,
  world: 'live' | 'sandbox',
  made: { key: string; key_id: number },
): Promise<void> {
  await unlimit(site, made.key_id);
  partner.keys[world].push({ id: made.key_id, key: made.key, revoked: new Possible(false) });
}

export async function unlimit(site: Scene['site'], keyId: number): Promise<void> {
  await insist('key set', async () => {
    const ended = await site.operator('key', 'set', `${keyId}`, '--ceilings', CEILINGS);
    return ended.outcome === 'done' ? ended : undefined;
  });
}
