import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { collectDefaultMetrics, Registry } from 'prom-client';
import dashboard from '../deploy/grafana/wayfare.json' with { type: 'json' };
import { actions } from '../src/actions/actions.ts';
import { clientCommands } from '../src/entry/cli/client-commands.ts';
import { wordsOf } from '../src/entry/cli/help.ts';
import { settingNames } from '../src/entry/console/system/settings-in-force.ts';
import { SECOND } from '../src/platform/clock.ts';
import { createMetrics } from '../src/platform/measure/metrics.ts';
import { readConfig } from '../src/platform/settings/config.ts';
import { SECRET_SETTINGS } from '../src/platform/settings/secret-files.ts';
import { testFolder } from './support/database/folder.ts';
import { type DebianBinary, debianBinary, noProgram } from './support/debian/debian.ts';
import { eventually } from './support/eventually.ts';
import { deployedSettings } from './support/program/deployed-settings.ts';
import { freePort } from './support/program/ports.ts';
import { refused } from './support/program/process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const alerts = read('deploy/prometheus/alerts.yml');
const guide = read('docs/operating.md');
const expressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** Runs a program of Debian's and returns what it printed; throws what it printed if it fails. */
async function check(name: DebianBinary, ...args: string[]): Promise<string> {
  const { path, env } = await debianBinary(name);
  const { stdout, stderr } = await promisify(execFile)(path, args, { env: { ...process.env, ...env } });
  return stdout + stderr;
}

test('deploy/wayfare.env lists every setting once, and is accepted once it has a secret', () => {
  const listed = [...read('deploy/wayfare.env').matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, setting]) => setting);
  // test/entry/console/settings.test.ts holds that these are the settings that are read.
  assert.deepEqual(listed.sort(), [...settingNames.shown, ...settingNames.kept].sort());
  assert.throws(() => readConfig(deployedSettings()), /^Error: WAYFARE_SECRET needs at least 32 characters/);
  const config = readConfig({ ...deployedSettings(), WAYFARE_SECRET: 'x'.repeat(32) });
  assert.equal(config.liveBaseUrl.host, 'api.example.com');
});

test('promtool accepts the alerts, their tests pass, and the example of a Prometheus is valid', {
  skip: await noProgram('promtool'),
}, async () => {
  const folder = join(root, 'deploy/prometheus');
  await check('promtool', 'check', 'config', join(folder, 'prometheus.yml'));
  const tested = await check('promtool', 'test', 'rules', join(folder, 'alerts.test.yml'));
  assert.match(tested, /SUCCESS/);
});

test('promtool finds nothing to improve in our metrics', { skip: await noProgram('promtool') }, async () => {
  const metrics = createMetrics();
  metrics.watchProcess();
  const { path, env } = await debianBinary('promtool');
  const checking = spawn(path, ['check', 'metrics'], { env: { ...process.env, ...env } });
  checking.stdin.end(await metrics.print());
  const [found, [code]] = await Promise.all([text(checking.stderr), once(checking, 'exit')]);
  assert.deepEqual([code, found], [0, '']);
});

test('every expression of the dashboard is valid', { skip: await noProgram('promtool') }, async () => {
  await using folder = await testFolder(0o700);
  const file = join(folder.path, 'dashboard.yml');
  const rules = expressions.map((expr, i) => ({
    record: `panel:${i}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }));
  // JSON is YAML.
  await writeFile(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }));
  assert.match(await check('promtool', 'check', 'rules', file), new RegExp(`${expressions.length} rules found`));
});

test('alerts and dashboard name only metrics that exist, and the dashboard shows all of ours', async () => {
  const defaults = new Registry();
  collectDefaultMetrics({ register: defaults });
  const ours = [...(await createMetrics().print()).matchAll(/^# TYPE (wayfare_\w+)/gm)].map(([, name = '']) => name);
  // These two are written by a script, for node-exporter.
  const fromBackups = [...read('deploy/backup/wayfare-backup').matchAll(/\bwayfare_\w+_seconds\b/g)].map(
    ([name]) => name,
  );
  assert.equal(fromBackups.length, 2);
  const known = new Set([...ours, ...fromBackups, ...defaults.getMetricsAsArray().map(({ name }) => name)]);
  const named = (text: string) =>
    new Set(
      [...text.matchAll(/\b(?:wayfare|nodejs|process)_[a-z0-9_]+\b/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      ),
    );
  const shown = named(expressions.join('\n'));
  for (const name of [...shown, ...named(alerts)]) assert.ok(known.has(name), name);
  assert.deepEqual(
    ours.filter((name) => !shown.has(name)),
    [],
  );
});

test('every alert has its entry in the guide, and every entry its alert', () => {
  const alerting = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const entries = [...guide.matchAll(/^### (Wayfare\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(entries.sort(), alerting.sort());
});

test('every command the guide tells an operator to paste exists', () => {
  const known = [['start'], ['migrate'], ...[...actions, ...clientCommands].map(wordsOf)];
  const pages = [guide, read('docs/production.md'), read('docs/cluster.md')].join('\n');
  const pasted = [...pages.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => [
    ...block.matchAll(/^(?:\w+=\S+ )?wayfare (.+)$/gm),
  ]);
  assert.ok(pasted.length >= 10);
  for (const [, line = ''] of pasted) {
    const words = line.split(' ');
    assert.ok(
      known.some((path) => path.every((word, i) => word === words[i])),
      line,
    );
  }
});

test('systemd accepts the units', { skip: await noProgram('systemd-analyze') }, async () => {
  await using folder = await testFolder(0o755);
  const units = globSync(join(root, 'deploy/systemd/*')).map((unit) => ({
    unit,
    copy: join(folder.path, basename(unit)),
  }));
  await mkdir(join(folder.path, 'bin'));
  for (const { unit, copy } of units) {
    // It looks for the programs they start, which are here in other places.
    const text = readFileSync(unit, 'utf8')
      .replaceAll('/opt/wayfare/node_modules/.bin/node', process.execPath)
      .replaceAll('/opt/wayfare/deploy/', join(root, 'deploy/'))
      .replaceAll('/usr/local/bin/wayfare', join(root, 'deploy/bin/wayfare'))
      .replaceAll('/usr/bin/curl', process.execPath);
    await writeFile(copy, text);
  }
  assert.equal(await check('systemd-analyze', 'verify', '--man=no', ...units.map(({ copy }) => copy)), '');
});

test('proxies wait longer for an answer than a request may take, and leave no process out for a slow one', () => {
  const { requestMs } = readConfig({});
  const nginx = read('deploy/nginx/wayfare.conf');
  const caddy = read('deploy/caddy/Caddyfile');
  for (const [file, wait] of [
    [nginx, /proxy_read_timeout (\d+)s;/],
    [caddy, /response_header_timeout (\d+)s/],
  ] as const)
    assert.ok(Number(wait.exec(file)?.[1]) * SECOND >= requestMs + 5 * SECOND, String(wait));
  const servers = [...nginx.matchAll(/^ *server \d.*$/gm)].map(([line]) => line);
  assert.ok(servers.length >= 3 && servers.every((line) => line.includes('max_fails=0')), servers.join('\n'));
  assert.doesNotMatch(caddy, /^\s*(fail_duration|max_fails|unhealthy_latency)/m);
});

test('every unit is confined: systemd rates its exposure at 2.5 of 10 at most', {
  skip: await noProgram('systemd-analyze'),
}, async () => {
  for (const unit of globSync(join(root, 'deploy/systemd/*.service'))) {
    const rated = await check('systemd-analyze', 'security', '--offline=true', '--no-pager', unit);
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(rated) ?? [];
    assert.ok(Number(exposure) <= 2.5, `${basename(unit)}: ${exposure}`);
  }
});

test('every unit that runs the program takes each secret of a server as a credential', () => {
  // WAYFARE_KEY is a developer's.
  const due = SECRET_SETTINGS.filter((name) => name !== 'WAYFARE_KEY').map((name) => `${name}:wayfare.${name}`);
  const units = globSync(join(root, 'deploy/systemd/*.service')).map((unit) => readFileSync(unit, 'utf8'));
  const ours = units.filter((text) => text.includes('src/main.ts'));
  assert.equal(ours.length, 4);
  for (const text of ours) {
    const taken = [...text.matchAll(/^LoadCredential=(.+)$/gm)].map(([, one]) => one);
    assert.deepEqual(taken.sort(), due.sort());
  }
});

test('containers are confined: nothing to write to, no capabilities, a limit of memory, and a health check', () => {
  const [head = '', services = ''] = read('deploy/container/compose.yaml').split(/^services:$/m);
  const part = (name: string) => head.split(/^(?=x-)/m).find((text) => text.startsWith(`x-${name}:`)) ?? '';
  for (const rule of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]'])
    assert.ok(part('confined').includes(`  ${rule}\n`), rule);
  const each = (services.split(/^\w/m)[0] ?? '').split(/^(?= {2}\w)/m).filter((text) => /^ {2}\w/.test(text));
  assert.equal(each.length, 6);
  for (const text of each) {
    const whole = text.includes('<<: *wayfare\n') ? text + part('wayfare') : text;
    for (const rule of [/<<: \*confined\n/, /mem_limit: \d+[mg]\n/, /healthcheck:\n/]) assert.match(whole, rule);
  }
  assert.match(read('deploy/container/Containerfile'), /^HEALTHCHECK /m);
});

test('a container is healthy while its process is ready', async () => {
  let status = 200;
  const server = createServer((_, response) => response.writeHead(status).end());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const env = { ...process.env, HEALTH_PORT: String((server.address() as AddressInfo).port) };
  const look = () =>
    promisify(execFile)(process.execPath, [join(root, 'deploy/container/healthy.ts')], { env }).then(
      () => 'healthy',
      () => 'unhealthy',
    );
  assert.equal(await look(), 'healthy');
  status = 503;
  assert.equal(await look(), 'unhealthy');
  server.close();
  server.closeAllConnections();
  assert.equal(await look(), 'unhealthy');
});

suite('Caddy', { skip: await noProgram('caddy') }, () => {
  test('accepts the example', async () => {
    await using folder = await testFolder(0o700);
    process.env.XDG_DATA_HOME = folder.path;
    const file = join(root, 'deploy/caddy/Caddyfile');
    assert.match(await check('caddy', 'validate', '--config', file, '--adapter', 'caddyfile'), /Valid configuration/);
  });

  test('passes requests on, and logs no address and no key of one that it cannot', async () => {
    await using folder = await testFolder(0o700);
    const server = createServer((_, response) => response.end('ok'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const [api, panel] = [await freePort(), await freePort()];
    const file = join(folder.path, 'Caddyfile');
    const example = read('deploy/caddy/Caddyfile')
      .replace(/^\{$/m, '{\n\tadmin off')
      .replace(/^api\..* \{$/m, `http://127.0.0.1:${api} {`)
      .replace(/^panel\..* \{$/m, `http://127.0.0.1:${panel} {`)
      .replace(/127\.0\.0\.1:41\d\d/g, `127.0.0.1:${(server.address() as AddressInfo).port}`)
      .replace('lb_try_duration 5s', 'lb_try_duration 100ms');
    await writeFile(file, example);
    const { path, env } = await debianBinary('caddy');
    const folders = { XDG_DATA_HOME: folder.path, XDG_CONFIG_HOME: folder.path };
    const caddy = spawn(path, ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { ...process.env, ...env, ...folders },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const log = text(caddy.stderr);
    const ask = (port: number, address: string) =>
      fetch(`http://127.0.0.1:${port}${address}`, {
        headers: { 'x-api-key': 'esk_live_a-secret', referer: 'https://panel.example.com/?a-secret' },
      }).then(({ status }) => status);
    const addresses = [
      [api, '/v3/order/get?a-secret'],
      [panel, '/e/a-secret'],
    ] as const;
    await eventually('Caddy listens', async () => !(await refused(api)) && !(await refused(panel)));
    for (const [port, address] of addresses) assert.equal(await ask(port, address), 200);
    server.close();
    server.closeAllConnections();
    for (const [port, address] of addresses) assert.equal(await ask(port, address), 502);
    caddy.kill('SIGTERM');
    const logged = await log;
    assert.equal(logged.match(/"logger":"http\.log\.error".*"status":502/g)?.length, 2, logged);
    assert.doesNotMatch(logged, /a-secret/);
  });
});
