import { openSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../test/support/ports.ts';
import { besideBare } from './support/beside-bare.ts';
import { benchDatabase } from './support/database.ts';
import { pinnedServer } from './support/pinned.ts';

/** A call that does nothing, through every gate, logged and counted as in production. */
const TARGET = 0.6;

await using database = await benchDatabase();
const port = await freePort();
const env = {
  DATABASE_URL: database.url,
  WAYFARE_DATA: database.folder,
  SANDBOX_BASE_URL: `http://localhost:${port}/v3`,
  LISTEN_PORTS: String(port),
  LOG_LEVEL: process.env.LOG_LEVEL,
};
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
