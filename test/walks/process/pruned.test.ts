import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { request } from 'undici';
import { testFolder } from '../../support/database/folder.ts';
import { agentAt } from '../../support/program/agent.ts';
import { getBalance } from '../../support/program/process.ts';
import { ServerProcess } from '../../support/program/server-process.ts';

const run = promisify(execFile);
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));
/** All that a server needs once the pages are built. */
const parts = [
  'src',
  'sdk',
  'docs',
  'migrations',
  'web/dist',
  'dist',
  'package.json',
  'package-lock.json',
  'openapi.json',
  'CHANGELOG.md',
];

test('without the development dependencies, everything is served that was built with them', async () => {
  await using folder = await testFolder(0o755);
  const checkout = join(folder.path, 'checkout');
  await mkdir(checkout);
  await run('cp', ['-a', '--parents', ...parts, 'node_modules', checkout], { cwd: CHECKOUT });
  await run('npm', ['prune', '--omit=dev', '--offline'], { cwd: checkout });
  const left = await readdir(join(checkout, 'node_modules'));
  assert.deepEqual(
    ['pg', 'react', 'vite', 'typescript'].filter((name) => left.includes(name)),
    ['pg'],
  );

  // Some are loaded only once a setting or a request asks for them: Redis, Stripe, mail.
  const load = `
    import { glob } from 'node:fs/promises';
    for await (const file of glob('src/**/*.ts')) if (!file.endsWith('main.ts')) await import('./' + file);
    process.exit(0);`;
  const node = join(checkout, 'node_modules/.bin/node');
  await run(node, ['--input-type=module', '-e', load], { cwd: checkout });

  await using server = await ServerProcess.start({ dataDir: join(folder.path, 'data'), checkout });
  const key = /\besk_test_[0-9a-f]{40}\b/.exec(await server.banner())?.[0] ?? '';
  assert.equal((await getBalance(server.urls.sandbox, key)).status, 200);
  const panel = async (path: string) => {
    const { statusCode, body } = await request(server.urls.panel + path, { headers: { accept: 'text/html' } });
    return { status: statusCode, text: await body.text() };
  };
  for (const path of ['/', '/docs', '/docs/api', '/changelog', '/openapi.json', '/flags/tr.svg'])
    assert.equal((await panel(path)).status, 200, path);
  for (const path of ['/sign-in', '/operator']) {
    const script = /src="(\/assets\/[^"]+\.js)"/.exec((await panel(path)).text)?.[1];
    assert.equal((await panel(script ?? 'no script')).status, 200, path);
  }
  await using agent = await agentAt(`${server.urls.panel}/mcp`, { 'x-api-key': key });
  assert.ok((await agent.tools()).length > 0);
});
