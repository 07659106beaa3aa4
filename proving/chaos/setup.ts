import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FRUGAL_COUNT } from './autorefills.ts';
import type { Events } from './events.ts';
import { subscribe } from './hooks.ts';
import type { Model, Partner, Permission, Product, WorldName } from './model.ts';
import { Account, Possible } from './possible.ts';
import { adopt, unlimit } from './settings.ts';
import type { Site } from './site.ts';
import { requireThat } from './violation.ts';

const PARTNERS = [
  { billing: 'prepaid', limit: 0, marginShare: 0, revenueShare: 30, replacements: 100_000 },
  { billing: 'prepaid', limit: 5_000, marginShare: 25, revenueShare: 0, replacements: 1_000 },
  { billing: 'postpaid', limit: 20_000, marginShare: 10, revenueShare: 40, replacements: 0 },
] as const;
const OPENING_CREDIT = 8_000;
const OPENING_BALANCE = 100_000;
/** More partners get more plans to buy, so that each plan is bought as rarely as in a small crowd. */
const CROWD_OF_EACH = 8;

/** Partners with keys, money and receivers, and a few products of the demo catalog. */
export async function setUp(site: Site, model: Model, events: Events, crowd: number): Promise<void> {
  const breadth = Math.ceil(crowd / CROWD_OF_EACH);
  await chooseProducts(site, model, breadth);
  await addSupply(site, model, breadth);
  const receivers = [...site.receivers];
  for (const terms of Array.from({ length: crowd }, () => PARTNERS).flat()) {
    const partner = await makePartner(site, terms);
    model.partners.push(partner);
    for (const world of ['live', 'sandbox'] as const) {
      await adopt(
        { site },
        partner,
        world,
        await done(site, 'key', 'create', '--partner', `${partner.id}`, '--mode', world),
      );
      await restrict(site, partner, world, terms);
      const receiver = receivers.pop();
      if (receiver)
        await subscribe(
          { site, events, model },
          partner,
          world,
          receiver,
          terms.billing === 'postpaid' || world === 'sandbox',
        );
    }
  }
}

/** Which permissions the restricted keys have. Of two active sandbox keys one must be free for a replacement. */
const RESTRICTED: readonly (readonly Permission[])[] = [
  ['read', 'buy'],
  ['money', 'webhooks'],
  ['buy', 'money'],
];

async function restrict(
  site: Site,
  partner: Partner,
  world: WorldName,
  terms: (typeof PARTNERS)[number],
): Promise<void> {
  const all = world === 'live' ? RESTRICTED.slice(0, 2) : RESTRICTED.slice(PARTNERS.indexOf(terms)).slice(0, 1);
  if (world === 'sandbox' && !partner.keepsSandboxKey) return;
  if (world === 'live') {
    const words = ['key', 'create', '--partner', `${partner.id}`, '--mode', world, '--permissions', 'buy'];
    const { key, key_id: id } = await done(site, ...words);
    await unlimit(site, id);
    await done(site, 'key', 'set', `${id}`, '--limit', `month=${FRUGAL_COUNT}x`);
    partner.frugalKey = key;
  }
  for (const may of all) {
    const words = ['key', 'create', '--partner', `${partner.id}`, '--mode', world, '--permissions', may.join(',')];
    const { key, key_id: id } = await done(site, ...words);
    await unlimit(site, id);
    partner.restricted.push({ key, world, may });
  }
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the command answers.
async function done(site: Site, ...words: string[]): Promise<any> {
  const ended = await site.operator(...words);
  requireThat(ended.outcome === 'done', `${words.join(' ')} failed`, ended);
  return ended.result;
}

async function makePartner(site: Site, terms: (typeof PARTNERS)[number]): Promise<Partner> {
  const usd = (cents: number) => (cents / 100).toFixed(2);
  const words = ['--name', 'Chaos', '--email', 'chaos@example.com', '--billing', terms.billing];
  const { partner_id: id } = await done(site, 'partner', 'create', ...words, '--credit-limit', usd(terms.limit));
  const share = terms.revenueShare === 0 ? 'off' : `${terms.revenueShare}`;
  await done(site, 'partner', 'set', `${id}`, '--margin-share', `${terms.marginShare}`, '--revenue-share', share);
  await done(site, 'partner', 'set', `${id}`, '--replacements', usd(terms.replacements));
  await done(site, 'wallet', 'credit', '--partner', `${id}`, '--amount', usd(OPENING_CREDIT));
  return {
    id,
    marginShare: terms.marginShare,
    revenueShare: terms.revenueShare,
    billing: new Possible<'prepaid' | 'postpaid'>(terms.billing),
    creditLimit: new Possible<number>(terms.limit),
    suspended: new Possible(false),
    replacementBudget: new Possible<number>(terms.replacements),
    replacementCost: { live: new Account(), sandbox: new Account() },
    wallet: new Account(OPENING_CREDIT),
    debt: new Account(),
    sandbox: new Account(OPENING_BALANCE),
    keys: { live: [], sandbox: [] },
    restricted: [],
    keepsSandboxKey: terms.billing === 'postpaid',
    queueWasFull: false,
    frugalKey: '',
  };
}

/** Capped plans of two suppliers, one of which may fall silent without the other, and a refill of each that has one. */
async function chooseProducts(site: Site, model: Model, breadth: number): Promise<void> {
  const rows = await site.snapshot(async (client) => {
    const found = await client.query(
      `
      select alias, list_price::int as list, cost::int, amount_mb as mb, slug, destination, supplier_plan as code from (
        select plans.*, slug, row_number() over (partition by slug order by list_price, plans.id) as nth
        from shared.plans join shared.suppliers on suppliers.id = supplier_id
        where on_sale and not is_unlimited and cost > 0 and amount_mb > 100 and kind = 'simulated' and refills is null
      ) as ranked where nth <= $1 order by slug, nth limit 2 * $1`,
      [3 * breadth],
    );
    return found.rows;
  });
  requireThat(rows.length === 6 * breadth, 'the demo catalog has too few plans', rows.length);
  const plans = new Map(rows.map((row) => [`${row.slug}/${row.code}`, productOf(row)]));
  const refills = await site.snapshot(async (client) => {
    const found = await client.query(
      `
      select alias, list_price::int as list, cost::int, amount_mb as mb, slug, destination, supplier_plan as code, refills from shared.plans
      join shared.suppliers on suppliers.id = supplier_id
      where on_sale and not is_unlimited and cost > 0 and refills ?| $1 order by list_price, plans.id`,
      [rows.map(({ code }) => code)],
    );
    return found.rows;
  });
  model.products.push(...plans.values());
  for (const [name, plan] of plans) {
    const row = refills.find(({ slug, refills: codes }) => codes.some((code: string) => name === `${slug}/${code}`));
    if (!row || model.products.some(({ alias }) => alias === row.alias)) continue;
    const fits = row.refills.flatMap((code: string) => plans.get(`${row.slug}/${code}`) ?? []);
    requireThat(fits.includes(plan), 'a refill that fits nothing', row);
    model.products.push({ ...productOf(row), fits });
  }
  requireThat(model.products.length > plans.size, 'the demo catalog has no refills');
}

const DEPOT = 'depot';

/** A plan sold from stock, and routes: from stock to another supplier, and from one supplier to another. */
async function addSupply(site: Site, model: Model, breadth: number): Promise<void> {
  const terms = { destination: 'FR', amount: 1024, day: 7, network_type: '4G', price: '14.50', cost: '1.80' };
  const codes = Array.from({ length: breadth }, (_, n) => [`routed-${n}`, `alone-${n}`]).flat();
  const file = {
    supplier: { slug: DEPOT, title: 'Depot', kind: 'stock' },
    destinations: [{ code: 'FR', scope: 'country', title: 'France', slug: 'france' }],
    plans: codes.map((code) => ({ code, title: `France from stock, ${code}`, ...terms })),
  };
  const folder = await mkdtemp(join(tmpdir(), 'wayfare-chaos-'));
  const path = join(folder, 'depot.json');
  await writeFile(path, JSON.stringify(file));
  await done(site, 'catalog', 'import', path);
  await rm(folder, { recursive: true });
  const { rows } = await site.snapshot((client) =>
    client.query(
      `select alias, list_price::int as list, cost::int, amount_mb as mb, slug, destination, supplier_plan as code
      from shared.plans join shared.suppliers on suppliers.id = supplier_id where slug = $1 order by plans.id`,
      [DEPOT],
    ),
  );
  const stocked = rows.map(productOf);
  const { plans } = model;
  model.products.push(...stocked);
  for (let n = 0; n < breadth; n++) {
    const [routed, first, other] = [stocked[2 * n], plans[3 * n], plans[3 * (breadth + n)]];
    requireThat(routed && first && other && first.supplier !== other.supplier, 'too few suppliers', rows);
    for (const [product, alternate] of [
      [routed, first],
      [first, other],
    ] as const) {
      await done(site, 'route', 'set', product.alias, '--alternates', alternate.alias, '--force');
      product.alternates.push(alternate);
    }
  }
}

interface PlanRow {
  readonly alias: string;
  readonly list: number;
  readonly cost: number;
  readonly mb: number;
  readonly destination: string;
  readonly slug: string;
  readonly code: string;
}

const productOf = ({ alias, list, cost, mb, destination, slug, code }: PlanRow): Product => ({
  alias,
  destination,
  supplier: slug,
  code,
  isStock: slug === DEPOT,
  alternates: [],
  costMicros: cost,
  amountMb: mb,
  list: new Possible<number>(list),
  onSale: new Possible(true),
  behaviour: new Possible<'deliver'>('deliver') as never,
});
