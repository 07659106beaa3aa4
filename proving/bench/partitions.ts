import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { migrate } from '../../src/platform/db/migrate/migrate.ts';
import { benchDatabase } from './support/database.ts';

/**
 * Would partitions help the tables that keep their rows for good, and the delivery log? Each is filled with rows of two years, with the
 * indexes it really has, as one table, by month (26 partitions) and by partner (16). A unique index has to contain what the table
 * is partitioned by, so it is made wider. Measured are the statements that a purchase and a page are made of, planned as in production.
 */
const ROWS = Number(process.env.BENCH_ROWS ?? 3_000_000);
const ONLY = process.env.BENCH_TABLES?.split(',');
const PARTNERS = 1_000;
const BATCH = 64;
const ROUNDS = 300;
const WHOLE_TABLE_PLANS = ['seqscan', 'bitmapscan', 'hashjoin', 'mergejoin'];
const MONTHS = 26;

interface Measured {
  readonly table: string;
  /** What it is dated by, if it is. */
  readonly time: string | undefined;
  /** Columns and their values for row `n`, of `partner`, at `time`. */
  readonly row: Readonly<Record<string, string>>;
  readonly list: string;
  readonly change: string;
}

const TABLES: readonly Measured[] = [
  {
    table: 'orders',
    time: 'created_at',
    row: {
      id: 'n',
      partner_id: 'partner',
      idempotency_key: "'key-' || n",
      plan_id: 'n % 5000',
      product_id: "'product-' || n % 5000",
      status: '1',
      delivery: "'delivered'",
      billing_mode: "'prepaid'",
      product_price: '500',
      sale_price: '450',
      cost_micros: '3000000',
      product_title: "'Turkey 3 GB, 30 days'",
      data: "'3 GB'",
      amount_mb: '3072',
      day: '30',
      is_unlimited: 'false',
      country_code: "'TR'",
      supplier: "'aurora'",
      supplier_plan: "'tr-3gb-30d'",
      supplier_order: "'so-' || n",
      esim: "decode(repeat('00', 200), 'hex')",
      iccid: "'8988' || lpad(n::text, 15, '0')",
      usage_due_at: "'infinity'::timestamptz",
      created_at: 'at',
      paid_at: 'at',
      delivered_at: 'at',
      request_id: 'gen_random_uuid()',
    },
    list: 'select * from bench.orders where partner_id = $1 and status <> 2 order by id desc limit 50',
    change: "update bench.orders set usage_state = 'active' where id = any ($1::bigint[])",
  },
  {
    table: 'movements',
    time: 'at',
    row: {
      id: 'n',
      partner_id: 'partner',
      book: "'wallet'",
      type: "'purchase'",
      amount: '-450',
      balance_after: '100000',
      order_id: 'n',
      at: 'at',
      line: 'n',
    },
    list: "select * from bench.movements where partner_id = $1 and book = 'wallet' order by line desc limit 50",
    // The ledger is never changed.
    change: '',
  },
  {
    table: 'transfers',
    time: undefined,
    row: { id: 'n', movement_id: 'n', partner_id: 'partner', debit: "'cash'", credit: "'revenue'", amount: '450' },
    list: 'select * from bench.transfers where movement_id = $1',
    change: '',
  },
  {
    table: 'webhook_deliveries',
    time: 'created_at',
    row: {
      id: 'n',
      partner_id: 'partner',
      subscription_id: 'partner',
      order_id: 'n',
      event_id: "'evt_order_paid_' || n",
      event_type: "'order.paid'",
      status: "'sent'",
      max_attempts: '10',
      attempts: '1',
      http_code: '200',
      duration_ms: '40',
      response_body: "'ok'",
      sent_at: 'at',
      created_at: 'at',
      body: "case when n > 2 then decode(repeat('00', 300), 'hex') end",
    },
    list: `select * from bench.webhook_deliveries where partner_id = $1 and status = 'sent' and event_type = 'order.paid'
      order by id desc limit 50`,
    change: 'update bench.webhook_deliveries set attempts = 2 where id = any ($1::bigint[])',
  },
];

type Kind = 'one table' | 'by month' | 'by partner';

await using database = await benchDatabase();
await migrate(database.url);
const client = new pg.Client(database.url);
await client.connect();
const settings = ['set maintenance_work_mem = "512MB"', "set timezone = 'UTC'", 'set jit = off'];
await client.query([...settings, 'create schema bench'].join(';'));
console.log(
  `${ROWS} rows of two years, ${PARTNERS} partners, one of them with a fifth of all; µs are the database's processor time, means of ${ROUNDS}\n`,
);
try {
  for (const measured of TABLES.filter(({ table }) => !ONLY || ONLY.includes(table)))
    for (const kind of ['one table', 'by month', 'by partner'] as const)
      if (kind !== 'by month' || measured.time)
        console.log(`${measured.table}, ${kind}: ${await measure(measured, kind)}`);
} finally {
  await client.end();
}

async function measure(measured: Measured, kind: Kind): Promise<string> {
  const { table, list, change } = measured;
  await make(measured, kind);
  await client.query(insertOf(measured, 1, ROWS));
  const built = await timed(() => index(measured, kind));
  await client.query(`vacuum analyze bench.${table}`);
  const { rows: sizes } = await client.query(`
    select sum(pg_relation_size(oid))::bigint / 1000000 as rows, sum(pg_indexes_size(oid))::bigint / 1000000 as indexes
    from pg_class where relnamespace = 'bench'::regnamespace and relkind = 'r'`);

  const seller = new pg.Client(database.url);
  await seller.connect();
  await seller.query([...settings, 'set plan_cache_mode = force_generic_plan'].join(';'));
  const { pid } = (await seller.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0] as { pid: number };
  for (const plan of WHOLE_TABLE_PLANS) await seller.query(`set enable_${plan} = off`);
  const ask = (name: string, text: string, values: unknown[]) => seller.query({ name, text, values });
  const partner = () => 2 + Math.floor(Math.random() * (PARTNERS - 2));
  const some = (count: number) => Array.from({ length: count }, () => 1 + Math.floor(Math.random() * ROWS));
  const listed = () => ask('list', list, [table === 'transfers' ? some(1)[0] : partner()]);
  const byId = () => ask('by id', `select * from bench.${table} where id = $1`, some(1));
  const planned = await timed(async () => {
    await listed();
    await byId();
    if (change) await ask('change', change, [[0]]);
  });
  let next = ROWS;
  const insertion = async () => {
    await seller.query(insertOf(measured, next + 1, next + BATCH));
    next += BATCH;
  };
  for (let i = 0; i < 20; i++) await insertion();
  const figures: string[] = [
    `insert ${perRow(await costOf(pid, insertion))} µs a row`,
    `by id ${await costOf(pid, byId)} µs`,
    `page of 50 ${await costOf(pid, listed)} µs`,
    ...(change ? [`change ${perRow(await costOf(pid, () => ask('change', change, [some(BATCH)])))} µs a row`] : []),
    `first time ${(planned / 1000).toFixed(1)} ms`,
    `${sizes[0].rows} + ${sizes[0].indexes} MB`,
    `indexes built in ${(built / 1e6).toFixed(0)} s`,
  ];
  await seller.end();
  if (change)
    await client.query(`update bench.${table} set ${change.split(' set ')[1]?.split(' where')[0]} where id % 20 = 0`);
  const vacuum = await timed(() => client.query(`vacuum bench.${table}`));
  await client.query(`drop table bench.${table}`);
  return [...figures, `vacuum ${(vacuum / 1e6).toFixed(1)} s`].join(', ');
}

async function make({ table, time }: Measured, kind: Kind): Promise<void> {
  const by = {
    'one table': '',
    'by month': `partition by range (${time})`,
    'by partner': 'partition by hash (partner_id)',
  };
  await client.query(`create table bench.${table} (like live.${table} including defaults) ${by[kind]}`);
  if (kind === 'by partner')
    for (let i = 0; i < 16; i++)
      await client.query(
        `create table bench.${table}_${i} partition of bench.${table} for values with (modulus 16, remainder ${i})`,
      );
  if (kind === 'by month')
    await client.query(`do $$ declare month timestamptz; begin
      for i in -24..1 loop
        month := date_trunc('month', now()) + i * interval '1 month';
        execute format('create table bench.${table}_%s partition of bench.${table} for values from (%L) to (%L)',
          i + ${MONTHS}, month, month + interval '1 month');
      end loop; end $$`);
}

/** Rows in the order of time, the last ones now. */
function insertOf({ table, row }: Measured, from: number, to: number): string {
  return `insert into bench.${table} (${Object.keys(row).join(', ')})
    select ${Object.values(row).join(', ')} from generate_series(${from}::bigint, ${to}) as n,
      lateral (select case when n % 5 = 0 then 1 else 2 + (n * 7919) % ${PARTNERS - 1} end::int as partner,
        now() - greatest(0, ${ROWS} - n) * (interval '700 days' / ${ROWS}) as at) as drawn`;
}

async function index({ table, time }: Measured, kind: Kind): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    'select pg_get_indexdef(indexrelid) as text from pg_index where indrelid = $1::regclass',
    [`live.${table}`],
  );
  const key = { 'one table': undefined, 'by month': time, 'by partner': 'partner_id' }[kind];
  for (const { text } of rows) {
    const wide = (columns: string) => (key && !columns.split(', ').includes(key) ? `${columns}, ${key}` : columns);
    const made = text.replace(` ON live.${table} `, ` ON bench.${table} `);
    await client.query(
      made.includes(' UNIQUE ') ? made.replace(/btree \(([^)]*)\)/, (_, c) => `btree (${wide(c)})`) : made,
    );
  }
}

/** In µs. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) * 1000;
}

/** The database's own processor time for one, in µs: what else the machine does counts little. */
async function costOf(pid: number, work: () => Promise<unknown>): Promise<number> {
  const spent = async () => Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1000;
  const before = await spent();
  for (let i = 0; i < ROUNDS; i++) await work();
  return Math.round(((await spent()) - before) / ROUNDS);
}

function perRow(batch: number): string {
  return (batch / BATCH).toFixed(1);
}
