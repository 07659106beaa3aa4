import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { DAY } from '../../../../../src/platform/clock.ts';
import { run } from '../../../../support/program/operator.ts';
import { batchOf, entry, type StockedApp, stockedApp } from '../../../../support/sales/catalog.ts';
import { charge, delivered, keepReading, posted, purchase } from '../../../../support/sales/sales.ts';
import { revenueShare } from '../../../../support/sales/shares.ts';
import { buy } from '../../../../support/sales/shop.ts';

/** The signs of each type in a table of the guide. */
async function documented(heading: string): Promise<Record<string, string>> {
  const guide = await readFile(new URL('../../../../../docs/guides/money.md', import.meta.url), 'utf8');
  const [part = ''] = guide.split(`## ${heading}\n`)[1]?.split('\n## ') ?? [];
  return Object.fromEntries(
    [...part.matchAll(/^\| `(\w+)` +\| ([-+ or]+?) +\|/gm)].map(([, type, sign]) => [type, sign]),
  );
}

/** The signs of each type in a ledger as the API shows it. */
function shown(ledger: readonly { type: string; amount: number | string }[]): Record<string, string> {
  const byType = Object.groupBy(ledger, ({ type }) => type);
  const signsOf = (rows: typeof ledger = []) => [
    ...new Set(rows.map(({ amount }) => (Number(amount) > 0 ? '+' : '-'))),
  ];
  return Object.fromEntries(Object.entries(byType).map(([type, rows]) => [type, signsOf(rows).sort().join(' or ')]));
}

/** A purchase and its refund, and a share that is settled and partly taken back; `pay` puts the sale of the share on the books. */
async function trade(t: StockedApp, partnerId: number, key: string, pay: (orderId: bigint) => Promise<void>) {
  const operate = (words: string) => run(t.operator(), words);
  const { body } = await buy(t, key, await t.alias('fr-1'));
  await operate(`order refund ${body.order_id}`);
  await operate(`partner set ${partnerId} --revenue-share 50`);
  const sold = await delivered(t, partnerId, { deliveredAt: t.clock.now() - 40 * DAY });
  await keepReading(t, sold, { usedMb: 1280, expiresAt: t.clock.now() - 10 * DAY });
  await pay(sold.orderId);
  await revenueShare(t).settle(t.clock.now());
  await operate(`order refund ${sold.orderId} --amount 10`);
}

test('amounts of account/history and account/statement have the signs that the guide names', async () => {
  await using t = await stockedApp([batchOf([entry({ code: 'fr-1', destination: 'FR', price: '5.00' })])]);
  t.clock.freeze();
  const operate = (words: string) => run(t.operator(), words);

  const prepaid = await t.partner();
  const theirs = await t.key(prepaid);
  await operate(`wallet credit --partner ${prepaid} --amount 100`);
  await operate(`wallet credit --partner ${prepaid} --amount 5 --promo`);
  await trade(t, prepaid, theirs, (orderId) => posted(t, prepaid, [purchase({ promo: 0n, cash: 2000n }, orderId)]));
  for (const by of ['--add', '--subtract']) await operate(`wallet adjust --partner ${prepaid} ${by} 1 --note test`);
  const history = (await t.get('/account/history', { key: theirs })).body;
  assert.deepEqual(shown(history.ledger), await documented('The wallet'));

  const postpaid = await t.partner({ billing: 'postpaid' });
  const own = await t.key(postpaid);
  await operate(`partner set ${postpaid} --credit-limit 1000`);
  await trade(t, postpaid, own, (orderId) => posted(t, postpaid, [charge(2000n, orderId)]));
  for (const by of ['--add', '--subtract'])
    await operate(`wallet adjust --partner ${postpaid} --debt ${by} 1 --note test`);
  await operate(`wallet payment --partner ${postpaid} --amount 1`);
  const statement = (await t.get('/account/statement', { key: own })).body;
  assert.deepEqual(shown(statement.ledger), await documented('The debt'));

  // What the guide says of the last row and of the figures above the rows.
  assert.equal(history.ledger[0].balance_after, history.balance);
  assert.equal(statement.ledger[0].balance_after, statement.outstanding);
});
