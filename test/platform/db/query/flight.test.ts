import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import fc from 'fast-check';
import { type Db, MOST_PREPARED, openDatabase, sqlState } from '../../../../src/platform/db/database.ts';
import { raw, sql } from '../../../../src/platform/db/query/sql.ts';
import { flightsOf } from '../../../support/database/flights.ts';
import { freshDatabase } from '../../../support/database/postgres.ts';

let db: Db;
let drop: () => Promise<void>;

before(async () => {
  const fresh = await freshDatabase();
  drop = fresh.drop;
  db = openDatabase({ url: fresh.url, name: 'test', maxConnections: 2 });
  await db.run(sql`create table notes (id integer primary key, note text)`);
});

after(async () => {
  await db.close();
  await drop();
});

const note = (id: number) => sql`insert into notes (id, note) values (${id}, 'written')`;
const noted = async () =>
  (await db.query<{ id: number }>(sql`select id from notes order by id`)).map(({ id }) => Number(id));

test('statements started together are one round trip, the begin of the transaction with the first', async () => {
  const flights = await flightsOf(() =>
    db.tx(async (tx) => {
      await Promise.all([tx.run(note(1)), tx.run(note(2))]);
      await tx.query(sql`select 1`);
    }),
  );
  assert.deepEqual(flights, [['begin', 'insert into', 'insert into'], ['select 1'], ['commit']]);
  assert.deepEqual(await noted(), [1, 2]);
});

test('a commit can travel with the last statements, and there is no second one', async () => {
  const flights = await flightsOf(() => db.tx((tx) => Promise.all([tx.run(note(3)), tx.commit()])));
  assert.deepEqual(flights, [['begin', 'insert into', 'commit']]);
  assert.deepEqual(await noted(), [1, 2, 3]);
});

test('after a failed statement nothing of its flight runs, and its error is the one reported', async () => {
  const failing = db.tx((tx) =>
    Promise.all([tx.run(note(4)), tx.run(note(1)), tx.run(sql`insert into nowhere values (1)`), tx.commit()]),
  );
  await assert.rejects(failing, (error) => sqlState(error) === '23505');
  assert.deepEqual(await noted(), [1, 2, 3]);
  // The connection is as good as before.
  await db.tx((tx) => tx.run(note(4)));
  assert.deepEqual(await noted(), [1, 2, 3, 4]);
});

test('work that goes on beside a failed statement writes nothing, neither in the transaction nor after it', async () => {
  let late: Promise<unknown> | undefined;
  const failing = db.tx(async (tx) => {
    const goesOn = async () => {
      await tx.query(sql`select 1`);
      late = tx.run(note(6));
      await late;
    };
    await Promise.all([goesOn(), tx.run(note(1))]);
  });
  await assert.rejects(failing, (error) => sqlState(error) === '23505');
  await assert.rejects(late ?? Promise.resolve(), (error) => sqlState(error) === '23505');
  assert.deepEqual(await noted(), [1, 2, 3, 4]);
});

test('a value that cannot be written fails its own statement before anything is sent', async () => {
  const unwritable = sql`select ${{ big: 1n }}::jsonb`;
  await assert.rejects(db.query(unwritable), TypeError);
  await assert.rejects(
    db.tx((tx) => Promise.all([tx.run(note(7)), tx.run(unwritable)])),
    TypeError,
  );
  assert.deepEqual(await noted(), [1, 2, 3, 4]);
});

test('a failure the work swallowed cannot be committed', async () => {
  const swallowed = db.tx(async (tx) => {
    await tx.run(note(5));
    await tx.run(note(1)).catch(() => {});
  });
  await assert.rejects(swallowed, (error) => sqlState(error) === '23505');
  assert.deepEqual(await noted(), [1, 2, 3, 4]);
});

test('one text twice in a flight, on a connection that has never seen it, and again later', async () => {
  const twice = (tx: Pick<Db, 'one'>) => Promise.all([1, 2].map((n) => tx.one(sql`select ${n}::int as n, 'x' as x`)));
  for (let round = 0; round < 2; round++)
    assert.deepEqual(await db.tx(twice), [
      { n: 1, x: 'x' },
      { n: 2, x: 'x' },
    ]);
});

test('a connection that has prepared many statements is replaced by one that has none', async () => {
  const sessions = new Set<number>();
  for (let n = 0; n <= 2 * MOST_PREPARED + 2; n++) {
    const { found, session, prepared } = await db.one<{ found: number; session: number; prepared: number }>(sql`
      select ${raw(String(n))} as found, pg_backend_pid() as session, (select count(*)::int from pg_prepared_statements) as prepared`);
    assert.equal(found, n);
    assert.ok(prepared <= MOST_PREPARED + 1, `${prepared} statements`);
    sessions.add(session);
  }
  assert.ok(sessions.size > 1);
});

test('the stack of an error leads back to the caller', async () => {
  async function caller() {
    await db.query(sql`select * from nowhere`);
  }
  await assert.rejects(caller, (error) => error instanceof Error && /caller/.test(error.stack ?? ''));
});

suite('parameters arrive as they were', () => {
  const anyText = fc.string({ unit: 'binary', maxLength: 30 }).filter((text) => !text.includes('\0'));
  const texts = fc.array(fc.option(fc.oneof(anyText, fc.constantFrom('', 'NULL', 'null', '{', '"', '\\', ',', ' '))));

  test('text, in arrays with nulls, quotes, backslashes and any other character', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (given) => {
        const rows = await db.query<{ text: string | null }>(sql`select text from unnest(${given}::text[]) as text`);
        assert.deepEqual(
          rows.map(({ text }) => text),
          given.map((text) => text?.toWellFormed() ?? null),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('times of any year and bytes of any length, in arrays with nulls', async () => {
    const times = fc.array(fc.option(fc.date({ min: new Date(-62_135_596_800_000), noInvalidDate: true })));
    const bytes = fc.array(fc.option(fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some))));
    await fc.assert(
      fc.asyncProperty(times, bytes, async (at, raw) => {
        const row = await db.one<{ at: string[]; raw: string[] }>(sql`
          select array (select extract(epoch from at) * 1000 from unnest(${at}::timestamptz[]) as at)::text[] as at,
            array (select encode(raw, 'hex') from unnest(${raw}::bytea[]) as raw) as raw`);
        assert.deepEqual(
          row.at.map((ms) => (ms === null ? null : Number(ms))),
          at.map((time) => time?.getTime() ?? null),
        );
        assert.deepEqual(
          row.raw,
          raw.map((one) => one?.toString('hex') ?? null),
        );
      }),
      { numRuns: 200 },
    );
  });

  test('a date that is none is refused before anything is sent', async () => {
    await assert.rejects(
      async () => db.run(sql`select from unnest(${[new Date(Number.NaN)]}::timestamptz[])`),
      RangeError,
    );
  });

  test('numbers, times, bytes and truth values, alone and in arrays', async () => {
    const bytes = Buffer.from([0, 1, 92, 34, 255]);
    const at = new Date('2026-02-28T23:59:59.987Z');
    const row = await db.one(sql`
      select ${7n}::bigint as big, ${[9007199254740993n, null]}::bigint[] as bigs, ${at}::timestamptz as at,
        (${[at, null]}::timestamptz[])[1] as "firstAt", ${bytes}::bytea as bytes, (${[bytes, null]}::bytea[])[1] as "firstBytes",
        ${true}::boolean as yes, ${[false, true]}::boolean[] as both, ${[]}::int[] as none, ${null}::text as missing,
        ${JSON.stringify({ a: ['"\\'] })}::jsonb as json`);
    assert.deepEqual(row, {
      big: 7n,
      bigs: ['9007199254740993', null],
      at,
      firstAt: at,
      bytes,
      firstBytes: bytes,
      yes: true,
      both: [false, true],
      none: [],
      missing: null,
      json: { a: ['"\\'] },
    });
  });
});
