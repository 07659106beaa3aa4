import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { catalogStates } from '../../../../../src/domains/catalog/catalog.ts';
import type { DestinationEntry, PlanEntry } from '../../../../../src/domains/catalog/import-format/entries.ts';
import { priceContractsJob } from '../../../../../src/domains/catalog/prices/prices.ts';
import { DAY } from '../../../../../src/platform/clock.ts';
import { openDatabase } from '../../../../../src/platform/db/database.ts';
import { sql } from '../../../../../src/platform/db/query/sql.ts';
import { freshDatabase } from '../../../../support/database/postgres.ts';
import { testApp } from '../../../../support/program/app.ts';
import { run } from '../../../../support/program/operator.ts';
import { random } from '../../../../support/random.ts';
import {
  batchOf,
  entry,
  eventually,
  type StockedApp,
  smallWorld,
  stock,
  stockedApp,
} from '../../../../support/sales/catalog.ts';
import {
  assertExact,
  changesSince,
  type Mirror,
  mirror,
  mirrorAfter,
  named,
} from '../../../../support/sales/catalog-mirror.ts';
import { credit } from '../../../../support/sales/shop.ts';

const plans: readonly PlanEntry[] = [
  entry({ code: 'one', price: 10, cost: 4 }),
  entry({ code: 'two', price: 20, cost: 8 }),
  entry({ code: 'paris', destination: 'FR', price: 30, cost: 10 }),
  entry({ code: 'tokyo', destination: 'JP', price: 40, cost: 10 }),
  entry({ code: 'wide', destination: 'europe', coverage: ['TR', 'FR', 'DE'], price: 50, cost: 10 }),
];
const changed = (code: string, special: Partial<PlanEntry>) =>
  plans.map((plan) => (plan.code === code ? { ...plan, ...special } : plan));
const places = (code: string, special: Partial<DestinationEntry>) => ({
  destinations: smallWorld.map((place, i) => ({
    entry: place.code === code ? { ...place, ...special } : place,
    line: i + 1,
  })),
});

/** What is done to the catalog, and the plans that change by it. */
async function step(t: StockedApp, what: () => Promise<unknown>, expected: { changed?: string[]; removed?: string[] }) {
  const before = await mirror(t, t.key1);
  await what();
  const now = await mirror(t, t.key1);
  await assertExact(t, t.key1, before, now);
  const told = await changesSince(t, t.key1, before.version);
  assert.deepEqual(await named(t, told.changed), expected.changed ?? []);
  assert.deepEqual(await named(t, told.removed), expected.removed ?? []);
}

suite('what changed in the catalog', () => {
  test('is named exactly: imports, terms set by hand, destinations, and nothing that a row does not show', async () => {
    await using t = await stockedApp(plans);
    const { db } = t.base;
    const again = (list: readonly PlanEntry[], more = {}) => stock(db, { ...batchOf(list), ...more });
    await step(t, () => again(plans), {});
    await step(t, () => again(changed('one', { title: 'Renamed' })), { changed: ['one'] });
    await step(t, () => again(plans), { changed: ['one'] });
    // The cost is not shown, and without a share of the margin no price depends on it.
    await step(t, () => again(changed('one', { cost: '4.5' })), {});
    await step(t, () => again(changed('one', { short_info: 'unseen' })), {});
    for (const fact of [
      { voice: 60 },
      { text: 20 },
      { install_window_days: 30 },
      { operator: { networks: ['Orange'] } },
      { operator: { apn_type: 'manual', apn_value: 'web' } },
      { operator: { is_kyc_verify: true } },
    ])
      await step(t, () => again(changed('one', fact)), { changed: ['one'] });
    await step(t, () => again(plans), { changed: ['one'] });
    await step(t, () => again([...plans, entry({ code: 'more', refills: ['one'] })]), { changed: ['one'] });
    await step(t, () => again(plans), { changed: ['one'] });
    await step(t, () => again([...plans, entry({ code: 'new', destination: 'FR' })]), { changed: ['new'] });
    await step(t, () => again(plans), { removed: ['new'] });
    const two = await t.alias('two');
    await step(t, () => run(t.operator(), `catalog product set ${two} --on-sale false`), { removed: ['two'] });
    await step(t, () => run(t.operator(), `catalog product set ${two} --price 21`), {});
    await step(t, () => run(t.operator(), `catalog product set ${two} --on-sale true`), { changed: ['two'] });
    await step(t, () => again(changed('tokyo', { operator: { title: 'Another' } })), { changed: ['tokyo'] });
    await step(t, () => again(changed('paris', { destination: 'JP' })), { changed: ['paris', 'tokyo'] });
    await step(t, () => again(plans), { changed: ['paris'] });
    await step(t, () => again(plans, places('FR', { title: 'Frankreich' })), { changed: ['paris', 'wide'] });
    await step(t, () => again(plans, places('FR', { slug: 'frankreich' })), { changed: ['paris', 'wide'] });
    await step(t, () => again(plans, places('FR', { slug: 'gaul' })), {});
    await step(t, () => again(plans, places('FR', { continent: 'Elsewhere' })), { changed: ['paris'] });
    // So far Germany was covered without being sold, with its English name.
    const germany = { code: 'DE', scope: 'country', title: 'Deutschland', slug: 'germany', region: 'europe' };
    const sold = [...smallWorld, germany].map((place, i) => ({ entry: place, line: i + 1 }));
    await step(t, () => again(plans, { destinations: sold }), { changed: ['paris', 'wide'] });
  });

  test('covers several steps at once: what changed back, and what came and went, is not named', async () => {
    await using t = await stockedApp(plans);
    const { db } = t.base;
    const before = await mirror(t, t.key1);
    await stock(db, batchOf([...changed('one', { title: 'Renamed', price: 99 }), entry({ code: 'short' })]));
    await mirror(t, t.key1);
    await stock(db, batchOf(changed('two', { day: 9 })));
    await assertExact(t, t.key1, before, await mirror(t, t.key1));
    const told = await changesSince(t, t.key1, before.version);
    assert.deepEqual([await named(t, told.changed), told.removed], [['two'], []]);
  });

  test('holds in every process, and survives a restart with changes that no process saw', async () => {
    await using undo = new AsyncDisposableStack();
    const database = await freshDatabase();
    undo.defer(() => database.drop());
    const db = openDatabase({ url: database.url, name: 'stock', searchPath: 'shared' });
    undo.defer(() => db.close());
    const secret = 'a'.repeat(64);
    const start = () => testApp({ url: database.url, secret });
    await stock(db, batchOf(plans));
    let old: Mirror;
    let key: string;
    {
      await using t = await start();
      key = await t.key(await t.partner());
      old = await mirror(t, key);
    }
    await stock(db, batchOf(changed('one', { day: 30 })));
    await using t = await start();
    const now = await mirror(t, key);
    await using other = await start();
    for (const app of [t, other]) await assertExact(app, key, old, now);
  });

  test('a version that another process named first is answered as up to date, not as unknown', async () => {
    await using t = await stockedApp(plans);
    const { version } = await mirror(t, t.key1);
    const { db } = t.base;
    const [, , form, contract] = version.split('-');
    // A state this process is not told of: no row that it listens to has changed.
    const { id, token } = await db.one<{ id: bigint; token: string }>(
      sql`insert into catalog_states default values returning id, token`,
    );
    const later = `${id}-${token}-${form}-${contract}`;
    const told = await changesSince(t, t.key1, later);
    assert.deepEqual([told.version, told.complete, told.changed, told.removed], [later, true, [], []]);
  });

  test('a random walk: from every version to the last, exactly the rows that differ', async (d) => {
    await using t = await stockedApp(plans);
    const { db } = t.base;
    const seed = Date.now() % 1_000_000;
    d.diagnostic(`seed ${seed}`);
    const below = random(seed);
    const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
    const mirrors: Mirror[] = [await mirror(t, t.key1)];
    for (let i = 0; i < 25; i += 1) {
      const { code } = pick(plans);
      const alias = await t.alias(code);
      const special: Partial<PlanEntry> = pick([
        { title: pick(['A', 'B']) },
        { price: pick([0, 11, 12]) },
        { cost: pick(['1', '2.5']) },
        { destination: pick(['TR', 'JP']) },
        { network_type: pick(['4G', '5G']) },
        { fair_use_text: pick(['', 'fair']) },
      ]);
      await pick([
        () => stock(db, batchOf(changed(code, special), { full: below(2) === 0 })),
        () => stock(db, batchOf(plans.filter(() => below(10) < 7))),
        () => stock(db, { ...batchOf(plans), ...places(pick(['TR', 'FR']), { title: pick(['X', 'Y', 'Z']) }) }),
        () => run(t.operator(), `catalog product set ${alias} --on-sale ${below(2) === 0}`),
        () => db.run(sql`update plans set refills = ${pick(['["x"]', null])}::jsonb where alias = ${alias}`),
      ])();
      mirrors.push(await mirror(t, t.key1));
    }
    const now = mirrors.at(-1) as Mirror;
    for (const before of mirrors) await assertExact(t, t.key1, before, now);
  });
});

suite('what changed in the prices of the partner', () => {
  test('rules of every scope: exactly the rows whose price, discount, share or source differ', async () => {
    await using t = await stockedApp(plans);
    const first = await mirror(t, t.key1);
    let before = first;
    const rule = async (text: string, expected: string[]) => {
      const { rule_id } = await run(t.operator(), `pricing rule add ${text}`);
      const now = await mirrorAfter(t, t.key1, before);
      await assertExact(t, t.key1, before, now);
      assert.deepEqual(await named(t, (await changesSince(t, t.key1, before.version)).changed), expected);
      before = now;
      return rule_id;
    };
    const mine = `--partner ${t.partner1}`;
    const id = await rule(`${mine} --scope product --target ${await t.alias('one')} --price 9.5`, ['one']);
    await rule('--scope country --target FR --share 30', ['paris']);
    await rule('--scope region --target europe --share 10', ['two', 'wide']);
    await rule('--scope provider --target aurora --share 5', ['paris', 'tokyo', 'two', 'wide']);
    assert.ok(id);
    // Prices and plans together, over a restart.
    await stock(t.base.db, batchOf(changed('tokyo', { cost: '20' })));
    const now = await mirror(t, t.key1);
    await using restarted = await t.another();
    for (const app of [t, restarted]) {
      await assertExact(app, t.key1, first, now);
      await assertExact(app, t.key1, before, now);
    }
    assert.deepEqual(await named(t, (await changesSince(t, t.key1, before.version)).changed), ['tokyo']);
  });

  test('another share of the account changes the contract as a whole: export again', async () => {
    await using t = await stockedApp(plans);
    const before = await mirror(t, t.key1);
    await run(t.operator(), `partner set ${t.partner1} --margin-share 20`);
    const now = await mirrorAfter(t, t.key1, before);
    const told = await changesSince(t, t.key1, before.version);
    assert.deepEqual([told.version, told.complete, told.changed, told.removed], [now.version, false, [], []]);
    await run(t.operator(), `partner set ${t.partner1} --margin-share none`);
    const back = await mirrorAfter(t, t.key1, now);
    assert.equal(back.version, before.version, 'the same rows have the same version again');
  });

  test('a share that changes few rows is reported row by row', async () => {
    const unknownCost = plans.map((plan) => (plan.code === 'one' ? plan : { ...plan, cost: undefined }));
    await using t = await stockedApp(unknownCost as PlanEntry[]);
    await run(t.operator(), `partner set ${t.partner1} --margin-share 10`);
    const before = await mirror(t, t.key1);
    await run(t.operator(), `partner set ${t.partner1} --margin-share 20`);
    await assertExact(t, t.key1, before, await mirrorAfter(t, t.key1, before));
  });

  test('a tier that a top-up reaches counts as a change, without any change of the catalog', async () => {
    await using t = await stockedApp(plans);
    const before = await mirror(t, t.key1);
    await credit(t, t.partner1, '1000');
    await mirrorAfter(t, t.key1, before);
    assert.equal((await changesSince(t, t.key1, before.version)).complete, false);
  });
});

suite('versions', () => {
  let shared: StockedApp;
  before(async () => {
    shared = await stockedApp(plans);
  });
  after(() => shared[Symbol.asyncDispose]());

  test('missing and malformed ones are refused by name', async () => {
    const t = shared;
    const { version } = await mirror(t, t.key1);
    const refused: Record<string, string> = {
      '': 'since_required',
      'since=': 'since_required',
      'since=latest': 'invalid_since',
      'since=1': 'invalid_since',
      [`since=${version}0`]: 'invalid_since',
      [`since=${version.toUpperCase()}`]: 'invalid_since',
      [`since=${version}%00`]: 'invalid_since',
      [`since=9${'9'.repeat(20)}${version}`]: 'invalid_since',
      [`since=${version}&since=${version}`]: 'invalid_since',
      [`since[]=${version}`]: 'invalid_since',
    };
    for (const [query, code] of Object.entries(refused)) {
      const { status, body } = await t.get(`/catalog/changes?${query}`, { key: t.key1 });
      assert.deepEqual([query, status, body.error], [query, 400, code]);
    }
  });

  test('well-formed ones that name nothing bring an incomplete answer: made up, from the future, of another release', async () => {
    const t = shared;
    const { version } = await mirror(t, t.key1);
    const [id, token, form, contract] = version.split('-') as [string, string, string, string];
    const other = (text: string) => text.replace(/^./, (digit) => (digit === '0' ? '1' : '0'));
    for (const since of [
      `${id}-${other(token)}-${form}-${contract}`,
      `${BigInt(id) + 1n}-${token}-${form}-${contract}`,
      `${'9'.repeat(18)}-${token}-${form}-${contract}`,
      `0-${token}-${form}-${contract}`,
      `${id}-${token}-${other(form)}-${contract}`,
      `${id}-${token}-${form}-${other(contract)}`,
    ]) {
      const told = await changesSince(t, t.key1, since);
      assert.deepEqual([told.version, told.complete, told.changed, told.removed], [version, false, [], []], since);
    }
  });

  test('the version one has is answered with empty lists, and its ETag brings a 304', async () => {
    const t = shared;
    const { version } = await mirror(t, t.key1);
    const path = `/catalog/changes?since=${version}`;
    const { body, headers } = await t.get(path, { key: t.key1 });
    assert.deepEqual([body.version, body.complete, body.changed, body.removed], [version, true, [], []]);
    const again = await t.get(path, { key: t.key1, headers: { 'if-none-match': String(headers.etag) } });
    assert.equal(again.status, 304);
  });

  test('are good for seven days after they stopped being the latest, however old they were then; later they end', async () => {
    await using t = await stockedApp(plans);
    const { db, clock } = t.base;
    const jobs = [catalogStates.job(db, t.clock), priceContractsJob(db, t.clock)];
    const prune = async () => {
      for (const job of jobs) while ((await job.run(AbortSignal.abort())) > 0);
    };
    const before = await mirror(t, t.key1);
    // Nothing changed for a month, and the version was named today.
    await db.run(sql`update catalog_states set at = at - interval '30 days'`);
    await stock(db, batchOf(changed('one', { day: 30 })));
    const now = await mirror(t, t.key1);
    t.clock.advance(7 * DAY);
    await prune();
    await assertExact(t, t.key1, before, now);
    t.clock.advance(2 * DAY);
    await prune();
    const { complete, version } = await changesSince(t, t.key1, before.version);
    // The answer before was kept ready, so another process is asked.
    await using other = await t.another();
    const told = await changesSince(other, t.key1, before.version);
    assert.deepEqual([told.complete, told.version], [false, now.version]);
    assert.deepEqual([complete, version], [true, now.version]);
    assert.equal((await changesSince(other, t.key1, now.version)).complete, true, 'the latest never ends');
    assert.ok(clock.now() > Date.now());
    const { left } = await db.one<{ left: number }>(sql`select count(*)::int as left from plan_changes`);
    assert.equal(left, 0);
  });

  test('prices that no version named for nine days are forgotten; those in use are kept', async () => {
    await using t = await stockedApp(plans);
    const { db } = t.base;
    const before = await mirror(t, t.key1);
    await run(t.operator(), `pricing rule add --scope country --target FR --share 30`);
    const between = await mirrorAfter(t, t.key1, before);
    t.clock.advance(5 * DAY);
    await changesSince(t, t.key1, between.version);
    t.clock.advance(5 * DAY);
    await run(t.operator(), `pricing rule add --scope country --target JP --share 30`);
    await mirrorAfter(t, t.key1, between);
    assert.equal(await priceContractsJob(db, t.clock).run(AbortSignal.abort()), 1);
    assert.equal((await changesSince(t, t.key1, before.version)).complete, false);
    assert.equal((await changesSince(t, t.key1, between.version)).complete, true);
  });

  test('end when somebody changes with SQL what the log does not follow', async () => {
    await using t = await stockedApp(plans);
    for (const statement of [
      sql`update networks set details = jsonb_set(details, '{title}', '"Renamed"')`,
      sql`update suppliers set slug = 'renamed'`,
    ]) {
      const before = await mirror(t, t.key1);
      await t.base.db.run(statement);
      await mirror(t, t.key1);
      assert.equal((await changesSince(t, t.key1, before.version)).complete, false);
    }
  });

  test('of one state in every transaction: two that change plans at once cannot become visible out of order', async () => {
    await using t = await stockedApp(plans);
    const { db } = t.base;
    const before = await mirror(t, t.key1);
    const [one, two] = [await t.alias('one'), await t.alias('two')];
    let second: Promise<unknown> | undefined;
    await db.tx(async (tx) => {
      await tx.run(sql`update plans set day = 28 where alias = ${one}`);
      second = db.run(sql`update plans set day = 29 where alias = ${two}`);
      await eventually(async () => {
        const waiting = await db.query(sql`select 1 from pg_locks where locktype = 'advisory' and not granted`);
        assert.equal(waiting.length, 1);
      });
      await tx.run(sql`update plans set title = 'Twice' where alias = ${one}`);
    });
    await second;
    await assertExact(t, t.key1, before, await mirror(t, t.key1));
    const told = await changesSince(t, t.key1, before.version);
    assert.deepEqual(await named(t, told.changed), ['one', 'two']);
  });
});
