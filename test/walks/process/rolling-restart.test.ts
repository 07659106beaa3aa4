import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { setKey } from '../../../src/domains/partners/keys/keys.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { testFolder } from '../../support/database/folder.ts';
import { debianBinary, noProgram } from '../../support/debian/debian.ts';
import { eventually } from '../../support/eventually.ts';
import { testApp } from '../../support/program/app.ts';
import { freePort } from '../../support/program/ports.ts';
import { refused } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';
import { testPlan } from '../../support/sales/paid-order.ts';

const DRAIN_SECONDS = '1';
/** Of each kind, one that reads and one that buys. */
const CLIENTS = 4;

/** Debian's nginx as our example sets it up: kept-alive connections to the processes, none left out, its own rules for retries. */
async function nginx(
  upstreams: readonly number[],
): Promise<{ port: number; complaints(): Promise<string> } & AsyncDisposable> {
  const { path, env } = await debianBinary('nginx');
  const folder = await testFolder(0o711);
  const port = await freePort();
  const servers = upstreams.map((one) => `server 127.0.0.1:${one} max_fails=0;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => `${kind}_temp_path ${kind};`);
  await writeFile(
    join(folder.path, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user nobody nogroup;' : ''}
daemon off;
pid nginx.pid;
error_log error.log;
events {}
http {
  access_log off; ${temporary.join(' ')}
  upstream wayfare { ${servers.join(' ')} keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://wayfare;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_connect_timeout 2s;
    }
  }
}
`,
  );
  const options = { env: { ...process.env, ...env }, cwd: folder.path, stdio: 'inherit' } as const;
  const child = spawn(path, ['-p', folder.path, '-c', 'nginx.conf', '-e', 'error.log'], options);
  const gone = once(child, 'exit');
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    return !(await refused(port));
  });
  return {
    port,
    complaints: () => readFile(join(folder.path, 'error.log'), 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await gone;
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('restarting two processes one after the other behind nginx loses no request and doubles no purchase', {
  skip: await noProgram('nginx'),
}, async () => {
  await using undo = new AsyncDisposableStack();
  const secret = randomBytes(32).toString('hex');
  // Only for its database: partner, key and plan.
  const t = undo.use(await testApp({ secret, role: 'panel' }));
  const partnerId = await t.partner();
  const key = await t.key(partnerId, 'sandbox');
  await t.base.db.tx(async (tx) => {
    const { id } = await tx.one<{ id: number }>(sql`select id from api_keys where partner_id = ${partnerId}`);
    await setKey(tx, id, { ceilings: { read: 1_000_000, purchase: 1_000_000 } });
  });
  const { alias } = await testPlan(t, { price: 0.01 });

  const { path: dataDir } = undo.use(await testFolder(0o711));
  const ports = [await freePort(), await freePort()];
  const start = (port: number | undefined) =>
    ServerProcess.start({
      dataDir,
      env: {
        DATABASE_URL: t.base.url,
        WAYFARE_SECRET: secret,
        SANDBOX_BASE_URL: 'http://sandbox.test/v3',
        LIVE_BASE_URL: 'http://live.test/v3',
        LEGACY_BASE_URL: 'http://legacy.test',
        PANEL_URL: 'http://panel.test',
        LISTEN_HOST: '127.0.0.1',
        LISTEN_PORTS: String(port),
        DRAIN_SECONDS,
        LOG_LEVEL: 'warn',
      },
    });
  const servers = await Promise.all(ports.map(start));
  undo.defer(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
  });
  const proxy = undo.use(await nginx(ports));
  const dispatcher = undo.adopt(new Agent(), (agent) => agent.close());

  const seen = new Map<string, number>();
  let rolling = true;
  const client = async (path: string, form: Record<string, string> | undefined) => {
    while (rolling) {
      const outcome = await request(`http://127.0.0.1:${proxy.port}/v3${path}`, {
        dispatcher,
        method: form ? 'POST' : 'GET',
        headers: { host: 'sandbox.test', 'x-api-key': key, 'content-type': 'application/x-www-form-urlencoded' },
        ...(form && { body: new URLSearchParams(form).toString() }),
      }).then(
        async ({ statusCode, body }) => `${statusCode} ${statusCode === 200 ? '' : await body.text()}`.trim(),
        (error) => String(error),
      );
      const name = `${form ? 'POST' : 'GET'} ${outcome}`;
      seen.set(name, (seen.get(name) ?? 0) + 1);
      await wait(5);
    }
  };
  const clients = Array.from({ length: CLIENTS }, () => [
    client('/account/balance', undefined),
    client('/purchase/buy', { product_id: alias }),
  ]).flat();
  for (const [i, server] of servers.entries()) {
    assert.equal(await server.end('SIGTERM'), 0);
    servers[i] = await start(ports[i]);
  }
  rolling = false;
  await Promise.all(clients);

  const lost = [...seen.keys()].filter((name) => !name.endsWith(' 200'));
  assert.deepEqual(lost, [], `${JSON.stringify([...seen])}\n${await proxy.complaints()}`);
  const { orders } = await t.base.db.one<{ orders: number }>(sql`select count(*)::int as orders from sandbox.orders`);
  assert.equal(orders, seen.get('POST 200'));
});
