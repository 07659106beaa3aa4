import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { lockWallets, type Movement, post } from '../../../src/domains/money/ledger/ledger.ts';
import { toCents } from '../../../src/platform/amounts/cents.ts';
import { DAY, HOUR } from '../../../src/platform/clock.ts';
import { testApp } from '../../support/program/app.ts';
import { browser, signedIn, signedInAs } from '../../support/program/panel.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

type Step = [day: string, what: 'topup' | 'purchase' | 'refund' | 'charge' | 'payment', cents: number, order?: bigint];
const debits = { topup: 'bank_clearing', refund: 'revenue', payment: 'bank_clearing' } as const;

/** Moves money as the domains do, in this order. */
async function move(partnerId: number, steps: readonly Step[]): Promise<void> {
  const movements = steps.map(([day, type, cents, orderId]): Movement => {
    const isDebt = type === 'charge' || type === 'payment';
    const account = isDebt ? 'receivable' : 'cash';
    const transfer =
      type === 'charge' || type === 'purchase'
        ? ({ debit: account, credit: 'revenue' } as const)
        : ({ debit: debits[type], credit: account } as const);
    return {
      ...{ partnerId, book: isDebt ? 'debt' : 'wallet', type, note: `=${type}`, at: new Date(day) },
      transfers: [{ ...transfer, amount: toCents(BigInt(cents)) }],
      ...(orderId !== undefined && { orderId }),
    } as Movement;
  });
  await t.base.worlds.live.db.tx(async (tx) => {
    await post(tx, await lockWallets(tx, [partnerId]), movements);
  });
}

const year = new Date(t.clock.now()).getUTCFullYear() - 1;
const cents = (text: string) => Math.round(Number(text) * 100);
const fileOf = (text: string) =>
  text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));

suite('a monthly statement', async () => {
  const [prepaid, postpaid] = [await t.partner({ name: 'Ada Travel' }), await t.partner({ billing: 'postpaid' })];
  const [ana, ben] = [await signedIn(t, prepaid), await signedIn(t, postpaid)];
  await move(prepaid, [
    [`${year}-01-10T10:00:00Z`, 'topup', 100_00],
    [`${year}-01-31T23:59:59.999Z`, 'purchase', 2_59, 7n],
    [`${year}-02-01T00:00:00Z`, 'purchase', 3_00, 8n],
    [`${year}-02-01T00:00:00.500Z`, 'purchase', 1_00, 9n],
    [`${year}-02-10T00:00:00Z`, 'refund', 3_00, 8n],
    [`${year}-04-01T00:00:00Z`, 'topup', 10_00],
    // Another process's clock was behind. Whichever month these fall into, none is lost or counted twice.
    [`${year}-07-01T00:00:00.100Z`, 'purchase', 50, 13n],
    [`${year}-06-30T23:59:59.900Z`, 'purchase', 70, 14n],
    [`${year}-07-01T00:00:00.200Z`, 'purchase', 90, 15n],
  ]);
  await move(postpaid, [
    [`${year}-03-01T00:00:00Z`, 'topup', 5_00],
    [`${year}-03-02T00:00:00Z`, 'charge', 20_00, 11n],
    [`${year}-03-03T00:00:00Z`, 'charge', 7_00, 12n],
    [`${year}-04-02T00:00:00Z`, 'payment', 20_00],
  ]);

  for (const [name, who] of [
    ['prepaid', ana],
    ['postpaid', ben],
  ] as const)
    test(`${name}: each month begins where the one before ended, its groups and lines add up, and the last ends at the ledger`, async () => {
      const { months } = (await who.get('/api/live/statements')).body;
      const before: Record<string, number> = { wallet: 0, debt: 0 };
      for (const month of months.toReversed()) {
        const { books } = (await who.get(`/api/live/statements/${month}`)).body;
        for (const { book, opening, closing, groups, lines, more } of books) {
          assert.equal(cents(opening), before[book], `${month} ${book}`);
          const sum = (rows: { amount: string }[]) => rows.reduce((all, { amount }) => all + cents(amount), 0);
          assert.equal(cents(opening) + sum(groups), cents(closing));
          assert.equal(sum(lines), sum(groups));
          assert.equal(more, 0);
          before[book] = cents(closing);
        }
      }
      const { balances } = (await who.v3('live', '/account/history')).body;
      assert.deepEqual(before, { wallet: Math.round(balances.balance * 100), debt: Math.round(balances.debt * 100) });
    });

  test('says who it is for and groups its lines by kind; each line names its order', async () => {
    const { partner, books, is_running, from } = (await ana.get(`/api/live/statements/${year}-02`)).body;
    assert.deepEqual([partner.name, is_running, from], ['Ada Travel', false, `${year}-02-01T00:00:00.000Z`]);
    assert.equal(books.length, 1);
    assert.deepEqual(books[0].groups, [
      { type: 'purchase', is_increase: false, count: 2, amount: '-4.00' },
      { type: 'refund', is_increase: true, count: 1, amount: '3.00' },
    ]);
    assert.deepEqual([books[0].opening, books[0].closing], ['97.41', '96.41']);
    assert.deepEqual(
      books[0].lines.map((line: { order_id: string }) => line.order_id),
      ['8', '9', '8'],
    );
  });

  test('a book that was used is shown beside the one that pays, and an empty month says that nothing happened', async () => {
    const march = (await ben.get(`/api/live/statements/${year}-03`)).body.books;
    assert.deepEqual(
      march.map(({ book, closing }: { book: string; closing: string }) => [book, closing]),
      [
        ['wallet', '5.00'],
        ['debt', '27.00'],
      ],
    );
    const [may] = (await ana.get(`/api/live/statements/${year}-05`)).body.books;
    assert.deepEqual([may.opening, may.closing, may.groups, may.lines], ['106.41', '106.41', [], []]);
  });

  test('the months go from the first movement to the running one; the sandbox, which keeps no books, has none', async () => {
    const { months } = (await ana.get('/api/live/statements')).body;
    assert.equal(months.at(-1), `${year}-01`);
    assert.equal(months[0], new Date(t.clock.now()).toISOString().slice(0, 7));
    assert.equal((await ana.get(`/api/live/statements/${months[0]}`)).body.is_running, true);
    assert.deepEqual((await ana.get('/api/sandbox/statements')).body, { months: [] });
  });

  test('a month that cannot be, or has not begun, is not found', async () => {
    for (const month of ['2026-13', '2026-00', '2026', '1999-01', 'x', '2199-01', '2026-1']) {
      const { status, body } = await ana.get(`/api/live/statements/${month}`);
      assert.deepEqual([status, body.error.code], [404, 'not_found'], month);
    }
  });

  test('the lines of the statement name their orders', async () => {
    const { lines, total } = (await ben.get('/api/live/statement?page=1')).body;
    assert.deepEqual(
      lines.map((line: { order_id: string | null }) => line.order_id),
      [null, '12', '11'],
    );
    assert.equal(total, 3);
    const second = (await ben.get('/api/live/statement?page=2&limit=2')).body;
    assert.deepEqual([second.lines, second.total], [lines.slice(2), 3]);
    const wallet = (await ana.get('/api/live/movements?limit=4&page=2')).body;
    assert.deepEqual([wallet.lines.length, wallet.total], [4, 9]);
    assert.deepEqual((await ana.get('/api/live/statement')).body, { lines: [], total: 0 });
    for (const page of ['0', 'x', '-1', '99999999999'])
      assert.equal((await ben.get(`/api/live/statement?page=${page}`)).status, 200, page);
  });
});

suite('exports', async () => {
  const [partner, other] = [await t.partner({ billing: 'postpaid' }), await t.partner()];
  const [ana, stranger] = [await signedIn(t, partner), await signedIn(t, other)];
  await move(partner, [
    [`${year}-06-01T00:00:00Z`, 'topup', 10_00],
    [`${year}-06-30T23:30:00Z`, 'purchase', 2_59, 21n],
    [`${year}-07-01T00:00:00Z`, 'refund', 2_59, 21n],
    [`${year}-06-10T00:00:00Z`, 'charge', 4_00, 22n],
  ]);

  test('movements as a file: oldest first, both days included, negative amounts as numbers, notes defused', async () => {
    const { status, text, headers } = await ana.get(`/api/live/movements.csv?from=${year}-06-02&to=${year}-06-30`);
    assert.equal(status, 200);
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="movements-from-${year}-06-02-to-${year}-06-30.csv"`,
    );
    const [header, ...rows] = fileOf(text);
    assert.deepEqual(header, ['id', 'date_utc', 'type', 'order_id', 'note', 'amount_usd', 'balance_after_usd']);
    assert.deepEqual(
      rows.map(([, ...row]) => row),
      [[`${year}-06-30 23:30:00`, 'purchase', '21', "'=purchase", '-2.59', '7.41']],
    );
    assert.equal(fileOf((await ana.get('/api/live/movements.csv')).text).length, 4);
  });

  test('with a time zone each time is also written as it was there', async () => {
    const { text } = await ana.get(`/api/live/movements.csv?from=${year}-06-30&to=${year}-06-30&tz=Europe/Berlin`);
    const [header, row] = fileOf(text);
    assert.equal(header?.[2], 'date_local (Europe/Berlin)');
    assert.deepEqual(row?.slice(1, 3), [`${year}-06-30 23:30:00`, `${year}-07-01 01:30:00`]);
  });

  test('the statement as a file has what is owed after each line', async () => {
    const [header, row] = fileOf((await ana.get('/api/live/statement.csv')).text);
    assert.equal(header?.at(-1), 'outstanding_after_usd');
    assert.deepEqual(row?.slice(2), ['charge', '22', "'=charge", '4.00', '4.00']);
  });

  test('the files of an account without movements, and of the sandbox, have a header only', async () => {
    for (const path of ['live/movements', 'live/statement', 'live/revenue-share', 'sandbox/movements'])
      assert.equal(fileOf((await stranger.get(`/api/${path}.csv`)).text).length, 1, path);
  });

  test('a long list is read in pages and arrives whole', async () => {
    const busy = await t.partner();
    const begin = Date.parse(`${year}-01-01T00:00:00Z`);
    const at = (n: number) => new Date(begin + n * HOUR).toISOString();
    await move(
      busy,
      Array.from({ length: 2_500 }, (_, n): Step => [at(n), 'topup', 1]),
    );
    const rows = fileOf((await (await signedIn(t, busy)).get('/api/live/movements.csv')).text).slice(1);
    assert.deepEqual(
      rows.map((row) => row.at(-1)),
      Array.from({ length: 2_500 }, (_, n) => ((n + 1) / 100).toFixed(2)),
    );
    const someDays = `from=${at(0).slice(0, 10)}&to=${new Date(begin + 2 * DAY).toISOString().slice(0, 10)}`;
    const few = await (await signedIn(t, busy)).get(`/api/live/movements.csv?${someDays}`);
    assert.equal(fileOf(few.text).length, 1 + 3 * 24);
    const { lines, more } = (await (await signedIn(t, busy)).get(`/api/live/statements/${year}-01`)).body.books[0];
    assert.deepEqual([lines.length, more], [500, 31 * 24 - 500]);
  });

  const wrong = [
    ['from=2026-02-30', 'invalid_date'],
    ['from=0000-01-01', 'invalid_date'],
    ['to=yesterday', 'invalid_date'],
    ['from=2026-03-02&to=2026-03-01', 'invalid_range'],
    ['tz=Mars/Olympus', 'invalid_time_zone'],
    [`tz=${'x'.repeat(5_000)}`, 'invalid_time_zone'],
    ['tz=Europe/Berlin%0d%0aset-cookie:x', 'invalid_time_zone'],
    ['from=2026-01-01&from=2026-01-02', 'malformed_request'],
    ['from=%ff', 'malformed_request'],
  ];
  for (const file of ['movements', 'statement', 'revenue-share'])
    test(`${file}: wrong input is refused by name, strangers and other roles get nothing`, async () => {
      for (const [query, code] of wrong) {
        const { status, body } = await ana.get(`/api/live/${file}.csv?${query}`);
        assert.deepEqual([status, body.error.code], [400, code], query);
      }
      assert.equal((await browser(t).get(`/api/live/${file}.csv`)).body.error.code, 'sign_in_required');
      assert.equal((await (await signedInAs(t, partner, 'developer')).get(`/api/live/${file}.csv`)).status, 403);
      assert.equal((await (await signedInAs(t, partner, 'read-only')).get(`/api/live/${file}.csv`)).status, 200);
      assert.equal((await ana.get(`/api/elsewhere/${file}.csv`)).body.error.code, 'not_found');
    });
});
