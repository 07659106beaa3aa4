import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { UsageError } from '../../../../src/entry/cli/cli.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { run } from '../../../support/program/operator.ts';
import { entry, stockedApp } from '../../../support/sales/catalog.ts';

suite('pricing commands', () => {
  test('a rule for the same partner, scope and target is replaced; before and after are in the audit log', async () => {
    await using t = await stockedApp([]);
    const operator = t.operator();
    const first = await run(operator, 'pricing rule add --scope provider --target aurora --share 10');
    const second = await run(operator, 'pricing rule add --scope provider --target aurora --share 12.5');
    assert.deepEqual(second, { ...first, share_pct: '12.50' });
    assert.deepEqual(await run(operator, 'pricing rule list'), [second]);
    await run(operator, `pricing rule remove ${second.rule_id}`);
    assert.deepEqual(await run(operator, 'pricing rule list'), []);
    const log = await t.base.db.query<{ what: string; before: unknown; after: unknown }>(
      sql`select what, before, after from audit_log order by id`,
    );
    assert.deepEqual(log, [
      { what: 'pricing rule add', before: null, after: first },
      { what: 'pricing rule add', before: first, after: second },
      { what: 'pricing rule remove', before: second, after: null },
    ]);
  });

  test('a list for one partner holds its own rules and the general ones', async () => {
    await using t = await stockedApp([]);
    const operator = t.operator();
    const other = await t.partner();
    await run(operator, `pricing rule add --scope country --target TR --share 1 --partner ${other}`);
    const own = await run(operator, `pricing rule add --scope country --target TR --share 2 --partner ${t.partner1}`);
    const general = await run(operator, 'pricing rule add --scope country --target TR --share 3');
    assert.deepEqual(await run(operator, `pricing rule list --partner ${t.partner1}`), [own, general]);
  });

  test('a target or a partner that does not exist is rejected', async () => {
    await using t = await stockedApp([entry({ code: 'one' })]);
    const add = (line: string) => run(t.operator(), `pricing rule add ${line}`);
    for (const line of [
      '--scope product --target esc_0000000000000000 --price 1',
      '--scope provider --target nobody --share 1',
      '--scope country --target QQ --share 1',
      '--scope country --target europe --share 1',
      '--scope region --target TR --share 1',
    ])
      await assert.rejects(add(line), { code: 'target_not_found' }, line);
    await assert.rejects(add('--scope country --target TR --share 1 --partner 999'), { code: 'partner_not_found' });
    await assert.rejects(run(t.operator(), 'pricing rule remove 999'), { code: 'rule_not_found' });
  });

  test('product rules carry a price, the others a share; anything else is a usage error', async () => {
    await using t = await stockedApp([entry({ code: 'one' })]);
    const alias = await t.alias('one');
    const wrong = [
      `rule add --scope product --target ${alias} --share 5`,
      `rule add --scope product --target ${alias}`,
      'rule add --scope provider --target aurora --price 5',
      'rule add --scope provider --target aurora --share 101',
      'rule add --scope provider --target aurora --share 1.234',
      'rule add --scope planet --target aurora --share 1',
      'cap 101',
      'tiers --tiers 5=1,5=2',
      'tiers --tiers 5',
      'tiers --window-days 0',
    ];
    for (const line of wrong) await assert.rejects(run(t.operator(), `pricing ${line}`), UsageError, line);
    assert.deepEqual(await run(t.operator(), 'pricing rule list'), []);
  });

  test('cap and tiers have defaults, and every change is in the audit log', async () => {
    await using t = await stockedApp([]);
    const defaults = await run(t.operator(), 'pricing show');
    assert.deepEqual(defaults, {
      total_share_cap_pct: '60.00',
      window_days: 90,
      tiers: [
        { min_usd: '1000.00', pct: '10.00' },
        { min_usd: '5000.00', pct: '15.00' },
        { min_usd: '20000.00', pct: '20.00' },
      ],
    });
    const capped = await run(t.operator(), 'pricing cap 55.5');
    const tiered = await run(t.operator(), 'pricing tiers --tiers 100=5');
    assert.deepEqual(tiered, { ...capped, tiers: [{ min_usd: '100.00', pct: '5.00' }] });
    assert.deepEqual(await run(t.operator(), 'pricing show'), tiered);
    const log = await t.base.db.query<{ before: unknown; after: unknown }>(
      sql`select before, after from audit_log where target = 'pricing' order by id`,
    );
    assert.deepEqual(log, [
      { before: defaults, after: capped },
      { before: capped, after: tiered },
    ]);
  });
});

suite('catalog product commands', () => {
  test('show names supplier, cost and internal id', async () => {
    await using t = await stockedApp([entry({ code: 'one', title: 'One', cost: '4.123456' })]);
    const product_id = await t.alias('one');
    const shown = await run(t.operator(), `catalog product show ${product_id}`);
    assert.deepEqual(shown, {
      product_id,
      internal_id: shown.internal_id,
      supplier: 'aurora',
      supplier_plan: 'one',
      title: 'One',
      destination: 'TR',
      price: '10.00',
      cost: '4.123456',
      on_sale: true,
      refills: null,
      by_hand: [],
    });
    assert.ok(Number.isInteger(shown.internal_id));
    await assert.rejects(run(t.operator(), 'catalog product show esc_0000000000000000'), { code: 'product_not_found' });
  });

  test('set changes only what is given, with an audit entry of before and after', async () => {
    await using t = await stockedApp([entry({ code: 'one' })]);
    const id = await t.alias('one');
    const before = await run(t.operator(), `catalog product show ${id}`);
    const cost = await run(t.operator(), `catalog product set ${id} --cost 1.000001`);
    assert.deepEqual(cost, { ...before, cost: '1.000001', by_hand: ['cost'] });
    const unknown = await run(t.operator(), `catalog product set ${id} --cost unknown --price 8.5`);
    assert.deepEqual(unknown, { ...before, cost: null, price: '8.50', by_hand: ['price', 'cost'] });
    const off = await run(t.operator(), `catalog product set ${id} --on-sale false`);
    assert.deepEqual(off, { ...unknown, on_sale: false, by_hand: ['price', 'cost', 'on_sale'] });
    const [entryOf] = await t.base.db.query<{ who: string; before: unknown; after: unknown }>(
      sql`select who, before, after from audit_log where what = 'catalog product set' order by id`,
    );
    assert.deepEqual(entryOf, { who: 'test', before, after: cost });
    for (const wrong of ['', ' --price x', ' --price 100000.01', ' --cost 1.0000001'])
      await assert.rejects(run(t.operator(), `catalog product set ${id}${wrong}`), UsageError);
  });
});
