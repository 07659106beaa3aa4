import { importCatalog } from '../../../../src/domains/catalog/import/import-list.ts';
import { sql } from '../../../../src/platform/db/query/sql.ts';
import { eventually } from '../../eventually.ts';
import type { DemoApp } from '../../program/demo-app.ts';
import { run } from '../../program/operator.ts';
import { csvOf, importText, newItems, PLAN, stockPlans } from '../../suppliers/stock-shop.ts';

export interface RichRoutes {
  /** A plan with a route, and an order for it that another supplier delivered. */
  readonly routedPlan: string;
  readonly routed: string;
}

/** Three suppliers that sell the same: one refuses, another delivers, a third is too dear; and a stock that runs low. */
export async function richRoutes({ t, demo }: DemoApp): Promise<RichRoutes> {
  const operate = (words: string) => run(t.operator(), words);
  const sold = await planOf({ t, demo }, 'northwind', 'Northwind Wholesale', 3.1);
  const other = await planOf({ t, demo }, 'oceanic', 'Oceanic Data, a supplier with rather a long name', 2.95);
  const dear = await planOf({ t, demo }, 'pelican', 'Pelican', 11.25);
  await operate(`route set ${sold} --alternates ${other},${dear} --min-margin 5`);
  await operate(`route set ${other} --alternates ${sold} --prefer cheapest --max-cost 4`);
  await operate('route auto on --supplier oceanic --prefer cheapest');
  await operate(`supplier simulate ${sold} --behaviour refuse`);
  const host = { authority: t.base.config.liveBaseUrl.host };
  let routed = '';
  await eventually('another supplier delivers', async () => {
    const { body } = await t.post('/purchase/buy', { product_id: sold }, { key: demo.liveKey, host });
    routed = String(body.id);
    return body.delivery === 'delivered';
  });
  await operate(`supplier simulate ${sold} --behaviour deliver`);
  await stockPlans(t.base);
  await importText(t, csvOf(newItems(3)));
  await operate(`stock set --supplier depot --plan ${PLAN} --low 5`);
  return { routedPlan: sold, routed };
}

async function planOf({ t }: Pick<DemoApp, 't' | 'demo'>, slug: string, title: string, cost: number): Promise<string> {
  const terms = { amount: 3_072, day: 30, network_type: '5G', price: 7.5, cost };
  const entry = { code: `${slug}-jp-3gb-30d`, destination: 'JP', title: 'Japan 3 GB, 30 days', ...terms };
  return t.base.db.tx(async (tx) => {
    const supplier = { slug, title, kind: 'simulated' };
    const plans = [{ entry, line: 1 }];
    await importCatalog(tx, { supplier, full: false, destinations: [], plans }, t.base.vault.sign);
    return (await tx.one<{ alias: string }>(sql`select alias from plans where supplier_plan = ${entry.code}`)).alias;
  });
}
