import type { Events } from './events.ts';
import { subscribe } from './hooks.ts';
import type { Model, Partner } from './model.ts';
import { Account, Possible } from './possible.ts';
import { adopt } from './settings.ts';
import type { Site } from './site.ts';
import { requireThat } from './violation.ts';

const PARTNERS = [
  { billing: 'prepaid', limit: 0, marginShare: 0, revenueShare: 30 },
  { billing: 'prepaid', limit: 5_000, marginShare: 25, revenueShare: 0 },
  { billing: 'postpaid', limit: 20_000, marginShare: 10, revenueShare: 40 },
] as const;
const OPENING_CREDIT = 8_000;
const OPENING_BALANCE = 100_000;

/** Partners with keys, money and receivers, and a few products of the demo catalog. */
export async function setUp(site: Site, model: Model, events: Events): Promise<void> {
  await chooseProducts(site, model);
  const receivers = [...site.receivers];
  for (const terms of PARTNERS) {
    const partner = await makePartner(site, terms);
    model.partners.push(partner);
    for (const world of ['live', 'sandbox'] as const) {
      await adopt(
        { site },
        partner,
        world,
        await done(site, 'key', 'create', '--partner', `${partner.id}`, '--mode', world),
      );
      const receiver = receivers.pop();
      if (receiver) await subscribe({ site, events, model }, partner, world, receiver);
    }
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
  await done(site, 'wallet', 'credit', '--partner', `${id}`, '--amount', usd(OPENING_CREDIT));
  return {
    id,
    marginShare: terms.marginShare,
    revenueShare: terms.revenueShare,
    billing: new Possible<'prepaid' | 'postpaid'>(terms.billing),
    creditLimit: new Possible<number>(terms.limit),
    suspended: new Possible(false),
    wallet: new Account(OPENING_CREDIT),
    debt: new Account(),
    sandbox: new Account(OPENING_BALANCE),
    keys: { live: [], sandbox: [] },
    queueWasFull: false,
  };
}

/** Capped plans of two suppliers: one of them may fall silent without the other. */
async function chooseProducts(site: Site, model: Model): Promise<void> {
  const rows = await site.snapshot(async (client) => {
    const found = await client.query(`
      select alias, list_price::int as list, cost::int, amount_mb as mb, slug from (
        select plans.*, slug, row_number() over (partition by slug order by list_price, plans.id) as nth
        from shared.plans join shared.suppliers on suppliers.id = supplier_id
        where on_sale and not is_unlimited and cost > 0 and amount_mb > 100 and kind = 'simulated'
      ) as ranked where nth <= 3 order by slug, nth limit 6`);
    return found.rows;
  });
  requireThat(rows.length >= 4, 'the demo catalog has too few plans', rows.length);
  for (const { alias, list, cost, mb } of rows)
    model.products.push({
      alias,
      costMicros: cost,
      amountMb: mb,
      list: new Possible<number>(list),
      onSale: new Possible(true),
      behaviour: new Possible<'deliver'>('deliver') as never,
    });
}
