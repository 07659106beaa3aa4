import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import type { FieldChange } from '../../../../src/actions/system/audit-words.ts';
import { listSyncJob } from '../../../../src/domains/supply/supply.ts';
import { HOUR } from '../../../../src/platform/clock.ts';
import { TestClock } from '../../../support/clock.ts';
import { contents } from '../../../support/database/rows.ts';
import { runAs, signedInOperator } from '../../../support/program/console.ts';
import { run } from '../../../support/program/operator.ts';
import { batchOf, entry, smallWorld, stockedApp } from '../../../support/sales/catalog.ts';
import { fakeAiralo } from '../../../support/suppliers/fake-airalo.ts';
import { airaloPlaces } from '../../../support/suppliers/fake-airalo-packages.ts';

const clock = new TestClock();
const fake = await fakeAiralo(clock);
const plans = [
  entry({ code: 'tr-small', title: 'Türkiye 1 GB', price: '5.00' }),
  entry({ code: 'tr-large', title: 'Türkiye 10 GB', price: '15.00', amount: 10_240 }),
  entry({ code: 'fr-nocost', title: 'France 1 GB', destination: 'FR', cost: null }),
  entry({ code: 'fr-noprice', title: 'France 5 GB', destination: 'FR', price: '0' }),
  entry({ code: 'jp-off', title: 'Japan 1 GB', destination: 'JP', on_sale: false }),
  ...Array.from({ length: 60 }, (_, i) => entry({ code: `bulk-${i}`, title: `Bulk ${i}`, destination: 'JP' })),
];
const t = await stockedApp([batchOf(plans)], {
  clock,
  role: 'panel',
  config: { airalo: { ...fake.settings, url: fake.url }, catalogSyncMs: 24 * HOUR },
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await fake[Symbol.asyncDispose]();
});
const admin = await signedInOperator(t);
const readOnly = await signedInOperator(t, 'read-only');

interface Row {
  product_id: string;
  internal_id: number;
  supplier_plan: string;
}
const search = async (query: string) => (await readOnly.get(`/operator/api/catalog?${query}`)).body;
const codes = async (query: string) => (await search(query)).plans.map((row: Row) => row.supplier_plan);

suite('search', () => {
  test('finds plans by words of title, place, code and id, whatever their case', async () => {
    assert.deepEqual(await codes('q=türkiye+10'), ['tr-large']);
    assert.deepEqual(await codes('q=FRANCE'), ['fr-noprice', 'fr-nocost']);
    assert.deepEqual(await codes('q=tr-sm'), ['tr-small']);
    assert.deepEqual(await codes(`q=${await t.alias('jp-off')}`), ['jp-off']);
    assert.deepEqual(await codes('q=%25'), [], 'a percent sign is only that');
  });

  test('narrows to a supplier, a place, on sale or not, without price, without cost, set by hand', async () => {
    assert.deepEqual(await codes('destination=FR'), ['fr-noprice', 'fr-nocost']);
    assert.deepEqual(await codes('sale=off'), ['jp-off']);
    assert.deepEqual(await codes('lacking=price'), ['fr-noprice']);
    assert.deepEqual(await codes('lacking=cost&sale=on'), ['fr-nocost']);
    assert.deepEqual(await codes('supplier=beacon'), []);
    assert.deepEqual(await codes('by_hand=yes'), []);
    await runAs(admin, 'catalog product set', { product: await t.alias('tr-small'), price: '6.00' });
    assert.deepEqual(await codes('by_hand=yes'), ['tr-small']);
  });

  test('pages show every plan once, newest first, and how many there are', async () => {
    const seen: string[] = [];
    let query = '';
    for (;;) {
      const { plans: page, has_more, matched } = await search(query);
      assert.equal(matched, plans.length);
      seen.push(...page.map((row: Row) => row.supplier_plan));
      if (!has_more) break;
      query = `before=${page.at(-1).internal_id}`;
    }
    assert.deepEqual(
      seen.reverse(),
      plans.map(({ code }) => code),
    );
  });

  test('words that are none of the choices are refused', async () => {
    for (const query of ['sale=maybe', 'lacking=title', 'by_hand=no', 'before=x'])
      assert.equal((await search(query)).error.code, 'invalid_input', query);
  });
});

suite('a plan', () => {
  test('shows facts, source, cost and price, what was set by hand, and who changed it', async () => {
    const id = await t.alias('tr-large');
    await runAs(admin, 'catalog product set', { product: id, price: '17.50', cost: '9.5', 'on-sale': 'false' });
    const { body } = await readOnly.get(`/operator/api/catalog/plans/${id}`);
    const { plan, changes, supplier, rules } = body;
    assert.deepEqual(
      [plan.price, plan.cost, plan.on_sale, plan.by_hand, plan.supplier_plan, plan.data, plan.countries],
      ['17.50', '9.500000', false, ['price', 'cost', 'on_sale'], 'tr-large', '10 GB', ['TR']],
    );
    assert.deepEqual([supplier.markup_pct, rules], [null, []]);
    assert.equal(changes[0].who, `operator:${admin.email}`);
    const lines = changes[0].differences.map(
      ({ field, before, after }: FieldChange) => `${field}: ${before} → ${after}`,
    );
    assert.deepEqual(lines.toSorted(), [
      'By hand: null → price, cost, on_sale',
      'Cost: $4.00 → $9.50',
      'On sale: yes → no',
      'Price: $15.00 → $17.50',
    ]);
    await runAs(admin, 'catalog product set', { product: id, price: 'auto', cost: 'auto', 'on-sale': 'auto' });
    assert.deepEqual((await readOnly.get(`/operator/api/catalog/plans/${id}`)).body.plan.by_hand, []);
  });

  test('one that does not exist is not found', async () => {
    for (const id of ['esc_0000000000000000', 'x', '%00'])
      assert.ok([400, 404].includes((await admin.get(`/operator/api/catalog/plans/${id}`)).status), id);
  });
});

/** What the tables of the catalog say, and the logs of what happened to it. */
async function catalogRows() {
  const { 'shared.staff_sessions': _seen, ...rest } = await contents(t, 'shared');
  return rest;
}

/** A page shows a refusal as a sentence. */
const asStored = (message: string): string => message.replace(/^N/, 'n').replace(/\.$/, '');

interface Source {
  supplier: string;
}

interface Counted {
  added: number;
  changed: number;
  off_sale: number;
}

suite('import', () => {
  test('a dry run of a supplier’s list changes nothing, and says exactly what the import then does', async () => {
    const steps: [string, () => void][] = [
      ['everything is new', () => {}],
      ['nothing has changed', () => {}],
      [
        'one is gone, another costs more',
        () => {
          const fewer = airaloPlaces().filter(({ slug }) => slug !== 'europe');
          fake.state.places = JSON.parse(JSON.stringify(fewer).replaceAll('"price":4,', '"price":5,'));
        },
      ],
      [
        'one row is bad',
        () => {
          fake.state.places = JSON.parse(
            JSON.stringify(airaloPlaces()).replace(/("id":"one-gb",.*?)"day":7/, '$1"day":0'),
          );
        },
      ],
    ];
    const results: Counted[] = [];
    for (const [name, change] of steps) {
      change();
      const before = await catalogRows();
      const tried = await runAs(admin, 'catalog import', { source: 'airalo', 'dry-run': true });
      assert.equal(tried.status, 200, tried.text);
      assert.deepEqual(await catalogRows(), before, name);
      const { needs_yes: needsYes, ...said } = tried.body.result;
      const made = await runAs(admin, 'catalog import', { source: 'airalo', ...(needsYes && { yes: true }) });
      assert.deepEqual(made.body.result, said, name);
      results.push(made.body.result);
    }
    const [first, second, third] = results as [Counted, Counted, Counted];
    assert.ok(first.added > 0 && third.off_sale > 0);
    assert.deepEqual([second.added, second.changed, second.off_sale], [0, 0, 0]);
  });

  test('at the command line a file can be tried, too', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wayfare-dry-'));
    const path = join(folder, 'list.json');
    const supplier = { slug: 'aurora', title: 'Supplier', kind: 'simulated' };
    const list = [{ ...plans[1], price: '16.00' }, entry({ code: 'brand-new', title: 'New' })];
    await writeFile(path, JSON.stringify({ supplier, destinations: smallWorld, plans: list }));
    const before = await catalogRows();
    const tried = await run(t.operator(), ['catalog', 'import', path, '--dry-run']);
    assert.deepEqual(await catalogRows(), before);
    assert.deepEqual(tried.added_plans, [{ code: 'brand-new', title: 'New', price: '10.00' }]);
    assert.deepEqual(tried.repriced_plans, [{ code: 'tr-large', from: '17.50', to: '16.00' }]);
    assert.deepEqual(tried.off_sale_plans[0], { code: 'tr-small', title: 'Türkiye 1 GB', price: '6.00' });
    assert.equal(tried.off_sale, plans.length - 2, 'one is still listed, one was off sale before');
    const { needs_yes, ...said } = tried;
    assert.equal(needs_yes, true);
    assert.deepEqual(await run(t.operator(), ['catalog', 'import', path, '--yes']), said);
    await writeFile(path, JSON.stringify({ supplier, plans: [{ code: 'bad' }] }));
    const refused = await run(t.operator(), ['catalog', 'import', path, '--dry-run']);
    assert.deepEqual([refused.ok, refused.error], [false, 'import_refused']);

    const inConsole = await runAs(admin, 'catalog import', { source: path, 'dry-run': true });
    assert.equal(inConsole.body.error.code, 'source_not_found', 'the console reads no files of the server');
    assert.ok(!inConsole.text.includes('bad'));
    await rm(folder, { recursive: true });
  });

  test('a dry run that fails leaves no trace in the history; an import that fails does', async () => {
    fake.meet('server_error', /packages$/, 2);
    const before = await catalogRows();
    const tried = await runAs(admin, 'catalog import', { source: 'airalo', 'dry-run': true });
    assert.equal(tried.body.error.code, 'supplier_unavailable');
    assert.deepEqual(await catalogRows(), before);
    await runAs(admin, 'catalog import', { source: 'airalo' });
    const { imports } = (await readOnly.get('/operator/api/catalog/imports')).body;
    assert.match(imports[0].error, /did not return its plans/);
    assert.equal(imports[0].who, `operator:${admin.email}`);
  });

  test('the history is paged, newest first, and can be narrowed to a supplier', async () => {
    const { imports, has_more } = (await readOnly.get('/operator/api/catalog/imports?supplier=airalo')).body;
    assert.deepEqual([imports.length, has_more], [5, false]);
    assert.equal(imports[1].counts.skipped, 1);
    const older = (await readOnly.get(`/operator/api/catalog/imports?supplier=airalo&before=${imports[3].id}`)).body;
    assert.deepEqual(
      older.imports.map(({ id }: { id: string }) => id),
      [imports[4].id],
    );
    assert.equal((await readOnly.get('/operator/api/catalog/imports?before=x')).body.error.code, 'invalid_input');
  });

  test('the schedule says when each list is due, as the job that imports them sees it', async () => {
    const { db, worlds, supplierKinds, vault, log } = t.base;
    const everyMs = 24 * HOUR;
    const job = listSyncJob({
      db,
      suppliers: worlds.live.suppliers,
      kinds: supplierKinds,
      sign: vault.sign,
      clock,
      log,
      everyMs,
    });
    const due = async () => {
      const fresh = await signedInOperator(t);
      const { sources, every_hours } = (await fresh.get('/operator/api/catalog/sources')).body;
      assert.equal(every_hours, 24);
      return sources.find(({ supplier }: { supplier: string }) => supplier === 'airalo');
    };
    const lists = () => fake.timesCalled(/packages$/);
    const asked = lists();
    const { next_at, last_error, is_configured } = await due();
    assert.deepEqual([is_configured, /did not return/.test(last_error)], [true, true]);
    const going = new AbortController().signal;
    clock.advance(Date.parse(next_at) - clock.now() - 1_000);
    await job.run(going);
    assert.equal(lists(), asked, 'not a second early');
    clock.advance(2_000);
    fake.meet('server_error', /packages$/, 1);
    await job.run(going);
    assert.equal(lists(), asked + 1);
    const after = await due();
    const waitMs = Date.parse(after.next_at) - clock.now();
    assert.ok(after.failures === 1 && waitMs > 0 && waitMs <= 60_000, 'a minute after the failure');
  });

  test('an import that takes more than a fifth off sale is refused until it is confirmed, from a list and from a file', async () => {
    const fresh = await signedInOperator(t);
    fake.state.places = airaloPlaces();
    await runAs(fresh, 'catalog import', { source: 'airalo' });
    const onSale = async () => {
      const { sources } = (await fresh.get('/operator/api/catalog/sources')).body;
      const { on_sale, is_held, has_previous } = sources.find(({ supplier }: Source) => supplier === 'airalo');
      return [on_sale, is_held, has_previous];
    };
    const [whole] = await onSale();
    fake.state.places = airaloPlaces().slice(0, 1);
    const tried = (await runAs(fresh, 'catalog import', { source: 'airalo', 'dry-run': true })).body.result;
    assert.deepEqual([tried.needs_yes, tried.on_sale_before], [true, whole]);
    const refused = await runAs(fresh, 'catalog import', { source: 'airalo' });
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'many_off_sale']);
    assert.match(refused.body.error.message, new RegExp(`: ${tried.leave_sale} of the ${whole} plans`));
    assert.doesNotMatch(refused.body.error.message, /--yes/, 'a page has no options');
    assert.deepEqual(await onSale(), [whole, true, true], 'nothing left the sale, and the list is on hold');
    const { imports } = (await fresh.get('/operator/api/catalog/imports')).body;
    assert.deepEqual([imports[0].is_held, imports[0].error], [true, asStored(refused.body.error.message)]);
    await runAs(fresh, 'catalog import', { source: 'airalo', yes: true });
    assert.deepEqual(await onSale(), [whole - tried.leave_sale, false, true]);

    const back = await runAs(fresh, 'catalog import', { source: 'airalo', previous: true });
    assert.equal(back.body.result.previous, true);
    assert.deepEqual(await onSale(), [whole, false, true]);

    const text = JSON.stringify({ supplier: { slug: 'airalo', title: 'Airalo', kind: 'airalo' }, plans: [] });
    const file = (input: object) => fresh.post('/operator/api/catalog/import', { input, text });
    assert.equal((await file({})).body.error.code, 'many_off_sale');
    assert.deepEqual(await onSale(), [whole, false, true], 'a file that was refused holds nothing up');
    assert.equal((await file({ yes: true })).body.result.off_sale, whole);
    assert.equal((await runAs(fresh, 'catalog import', { source: 'airalo', previous: true })).status, 200);
  });
});

test('every operator may read the catalog; only those who manage it may change it or import', async () => {
  const product = await t.alias('tr-small');
  for (const role of ['finance', 'support', 'read-only'] as const) {
    const person = await signedInOperator(t, role);
    assert.equal((await person.get('/operator/api/catalog/choices')).status, 200);
    assert.equal((await runAs(person, 'catalog product set', { product, price: '1' })).body.error.code, 'role_forbids');
    const tried = await runAs(person, 'catalog import', { source: 'airalo', 'dry-run': true });
    assert.equal(tried.body.error.code, 'role_forbids');
  }
});

test('strangers and members of partners reach none of it', async () => {
  for (const path of ['catalog', 'catalog/choices', 'catalog/sources', 'catalog/imports', 'prices', 'prices/rules'])
    assert.equal((await t.get(`/operator/api/${path}`, { host: 'panel' })).status, 401, path);
});
