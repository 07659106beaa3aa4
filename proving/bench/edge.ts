import { openSync } from 'node:fs';
import { join } from 'node:path';
import { besideBare } from './support/beside-bare.ts';
import { benchDatabase, serving } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';

/** A call that does nothing, through every gate, logged and counted as in production. */
const TARGET = 0.6;

await using database = await benchDatabase();
const { port, env: basic } = await serving('sandbox', database);
const env = { ...basic, LOG_LEVEL: process.env.LOG_LEVEL };
await using server = await pinnedServer<{ port: number; key: string }>(
  new URL('support/edge-server.ts', import.meta.url),
  { env },
  {
    logTo: openSync(join(database.folder, 'requests.log'), 'w'),
    nodeArgs: process.env.BENCH_NODE_ARGS?.split(' ') ?? [],
  },
);
const { ratio } = await besideBare(
  {
    url: `http://localhost:${port}/v3/account/ping`,
    headers: { 'X-API-Key': server.told.key },
    pid: server.pid,
  },
  Number(process.env.BENCH_ROUNDS ?? 5),
  { connections: 32, seconds: 3 },
);
console.log(`  target ${100 * TARGET} %: ${ratio >= TARGET ? 'met' : 'missed'}`);
process.exitCode = ratio >= TARGET ? 0 : 1;
