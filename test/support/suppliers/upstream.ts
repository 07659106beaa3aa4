import { readFileSync } from 'node:fs';
import { DAY } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { eventually } from '../eventually.ts';
import type { TestApp, TestAppOptions } from '../program/app.ts';
import { run } from '../program/operator.ts';
import { batchOf, entry, type StockedApp, stockedApp } from '../sales/catalog.ts';
import { credit } from '../sales/shop.ts';
import { type FakeRequest, fakeHttp, type Reply } from './fake-http.ts';

/** Codes of the upper installation's plans. */
export const UPPER = { esim: 'jp-1', refill: 'jp-more', europe: 'eu-3', world: 'gl-1', small: 'fr-small' } as const;

/** An installation that others buy from, with a partner that has 1,000 USD and half of every margin. */
export interface Upper extends StockedApp {
  readonly partnerId: number;
  readonly liveKey: string;
  readonly testKey: string;
  behave(behaviour: 'deliver' | 'delay' | 'refuse'): Promise<void>;
  /** Lets deferred orders arrive. */
  passDelay(): Promise<void>;
  /** The partner's orders: what they were bought under, and what became of them. */
  orders(world?: 'live' | 'sandbox'): Promise<{ key: string; status: number; reference: string }[]>;
}

export async function openUpper(config: TestAppOptions['config'] = {}): Promise<Upper> {
  const plans = batchOf([
    entry({ code: UPPER.esim, title: 'Japan 1 GB', destination: 'JP', operator: { rechargeability: true } }),
    entry({ code: UPPER.refill, title: 'More', destination: 'JP', amount: 2048, day: 10, refills: [UPPER.esim] }),
    entry({ code: UPPER.small, title: 'A little', destination: 'FR', amount: 500, price: '3.00', cost: '1.000000' }),
    entry({ code: UPPER.europe, title: 'Europe 3 GB', destination: 'europe', amount: 3072, coverage: ['FR', 'TR'] }),
    entry({ code: UPPER.world, title: 'World 1 GB', destination: 'global', coverage: ['FR', 'JP', 'TR'] }),
  ]);
  const t = await stockedApp([plans], {
    config: { provisioning: { budgetMs: 15_000, overdueMs: DAY }, ...config },
  });
  const partnerId = t.partner1;
  await credit(t, partnerId, '1000.00');
  await run(t.operator(), `partner set ${partnerId} --margin-share 50`);
  const keys = { liveKey: t.key1, testKey: await t.key(partnerId, 'sandbox') };
  await t.base.db.run(sql`
    update api_keys set tier_ceilings = '{"catalog": 1000000, "money": 1000000, "purchase": 1000000, "read": 1000000}'
    where partner_id = ${partnerId}`);
  return {
    ...t,
    ...keys,
    partnerId,
    async behave(behaviour) {
      for (const code of [UPPER.esim, UPPER.refill])
        await run(t.operator(), `supplier simulate ${await t.alias(code)} --behaviour ${behaviour}`);
    },
    passDelay: () =>
      eventually('nothing is deferred any more', async () => {
        t.clock.advance(60_000);
        await t.base.worlds.live.provisioning.provisionDue();
        const { open } = await t.base.worlds.live.db.one<{ open: number }>(sql`
          select count(*)::int as open from orders where provision_due_at is not null`);
        return open === 0;
      }).then(() => {}),
    orders: (world = 'live') =>
      t.base.worlds[world].db.query(sql`
        select idempotency_key as key, status, reference from orders where partner_id = ${partnerId} order by id`),
  };
}

/** Endpoints that the contract does not have. */
const description = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { tags?: string[] }>>;
};
const extensions = Object.entries(description.paths)
  .filter(([, verbs]) => Object.values(verbs).some(({ tags }) => tags?.includes('extensions')))
  .map(([path]) => path.replace(/\/\{.*/, ''));
/** Fields that the contract does not have, of requests and answers. */
const ADDED = [
  ...[
    'reference',
    'refund',
    'refunded',
    'cancel',
    'batch_id',
    'share_url',
    'has_more',
    'networks',
    'message',
    'ignored',
  ],
  ...['refillable', 'kyc_required', 'voice_minutes', 'sms', 'install_window_days'],
];

export type Road = Awaited<ReturnType<typeof openRoad>>;

/**
 * The way to the upper installation, over real HTTP, where answers can be lost. `bare`: nothing but the contract passes, as if the upper
 * installation were another program.
 */
export async function openRoad(to: () => Pick<TestApp, 'ask'>, { bare = false, test = false } = {}) {
  let underWay = 0;
  const refused = (status: number, error: string): Reply => ({
    status,
    body: { result: 'fail', code: String(status), error, title: 'Unsuccessful', api_version: 3 },
  });

  /** The door for Airalo's clients takes JSON, and tokens in place of keys. */
  async function passToDoor({ method, path, query, headers, body }: FakeRequest): Promise<Reply> {
    const named = ['authorization', 'airalo-signature', 'content-type', 'accept-language'];
    const sent = named.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])] as const]));
    underWay += 1;
    try {
      const answer = await to().ask(`${path}${query.size > 0 ? `?${query}` : ''}`, {
        host: test ? 'sandbox' : 'live',
        method,
        headers: Object.fromEntries(sent),
        ...(method === 'POST' && { body }),
      });
      return { status: answer.status, body: answer.body };
    } finally {
      underWay -= 1;
    }
  }

  async function pass(request: FakeRequest): Promise<Reply> {
    const { method, path, query, headers, body } = request;
    if (path.startsWith('/v3/airalo/')) return passToDoor(request);
    const below = path.replace('/v3', '');
    if (bare && below === '/openapi.json') return { status: 301, body: '' };
    if (bare && extensions.some((one) => below === one || below.startsWith(`${one}/`)))
      return refused(404, 'unknown_method');
    const form = new URLSearchParams(method === 'POST' ? body : query);
    if (bare) for (const name of ADDED) form.delete(name);
    underWay += 1;
    try {
      const answer = await to().ask(`${path}${method === 'GET' && form.size > 0 ? `?${form}` : ''}`, {
        host: test ? 'sandbox' : 'live',
        method,
        headers: {
          'x-api-key': String(headers['x-api-key'] ?? ''),
          ...(method === 'POST' && { 'content-type': String(headers['content-type']) }),
        },
        ...(method === 'POST' && { body: form.toString() }),
      });
      const limits = Object.entries(answer.headers).filter(([name]) => /^(x-ratelimit-|retry-after)/.test(name));
      return {
        status: answer.status,
        body: bare ? without(answer.body, ADDED) : answer.body,
        headers: Object.fromEntries(limits.map(([name, value]) => [name, String(value)])),
      };
    } finally {
      underWay -= 1;
    }
  }

  const road = await fakeHttp(pass, { ...refused(429, 'rate_limited'), headers: { 'retry-after': '1' } });
  return {
    ...road,
    /** Its address, as `PARTNER_V3_URL` has it. */
    url: new URL('/v3', road.url),
    /** What was sent has arrived, and was answered, also if the answer was lost. */
    quiet: () => eventually('nothing is under way', async () => underWay === 0),
  };
}

function without(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, names));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, without(inner, names)]));
}
