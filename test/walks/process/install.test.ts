import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MINUTE } from '../../../src/platform/clock.ts';
import { testFolder } from '../../support/database/folder.ts';
import { debianBinary, noProgram } from '../../support/debian/debian.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../..', import.meta.url));
const script = (name: string): string => join(root, 'deploy', name);

/** Runs an installer as far as it gets without root, and returns how it ended. */
const refusal = (name: string, env: NodeJS.ProcessEnv, ...parts: string[]) =>
  run('sh', [script(name), ...parts], { env: { PATH: process.env.PATH, ...env } }).then(
    () => assert.fail('it went on'),
    ({ code, stderr }: { code: number; stderr: string }) => [
      code,
      stderr.trim().replace(/^.*install\.sh: ((line )?\d+: )?/, ''),
    ],
  );

test('the installers are valid, and say what is missing before they change anything', async () => {
  for (const name of ['install.sh', 'ha/install.sh']) await run('sh', ['-n', script(name)]);
  const { EMAIL, DOMAIN } = { DOMAIN: 'example.com', EMAIL: 'you@example.com' };
  assert.deepEqual(await refusal('install.sh', { EMAIL }), [
    2,
    'DOMAIN: set DOMAIN to the domain whose names api, sandbox, legacy and panel lead here',
  ]);
  assert.deepEqual(await refusal('install.sh', { DOMAIN }), [
    2,
    'EMAIL: set EMAIL to your address, for the certificate',
  ]);
  assert.deepEqual(await refusal('install.sh', { DOMAIN, EMAIL }, 'settings', 'everything'), [
    2,
    'there is no part everything; there are: packages program settings database processes tls backups monitoring',
  ]);
  assert.deepEqual(await refusal('ha/install.sh', { CLUSTER: '/dev/null' }), [2, 'NODE: set NODE to 1, 2 or 3']);
  assert.deepEqual(await refusal('ha/install.sh', { CLUSTER: '/dev/null', NODE: '1' }, 'drill'), [
    2,
    'there is no part drill; there are: packages etcd patroni backups, and proxy',
  ]);
});

/** Making a Debian of one's own takes root, its packages, and leave to have namespaces. */
async function whyNot(): Promise<string | false> {
  if (process.getuid?.() !== 0) return 'only root can install a Debian into a folder';
  const isAllowed = await run('unshare', ['--net', '--mount', '--pid', '--fork', 'true']).then(
    () => true,
    () => false,
  );
  return isAllowed ? noProgram('debootstrap') : 'only root can have namespaces of its own, and not on this machine';
}

test('from a bare Debian, deploy/install.sh makes a service that sells over TLS, with a backup that was restored and proved', {
  skip: await whyNot(),
  timeout: 30 * MINUTE,
}, async () => {
  await using folder = await testFolder(0o755);
  const { path, env } = await debianBinary('debootstrap');
  const walked = await run('sh', [join(root, 'test/support/debian/walk-install.sh'), folder.path], {
    env: { ...process.env, ...env, DEBOOTSTRAP: path },
    maxBuffer: 100_000_000,
  });
  const after = (heading: string): string => walked.stdout.split(`== ${heading}\n`)[1]?.split(/^== /m)[0] ?? '';
  assert.match(after('processes'), /^ready$/m);
  assert.match(after('backups'), /^\{"ok":true,/m);
  assert.match(after('a purchase'), /"delivery":"delivered"/);
  assert.match(after('a purchase'), /^ok +true$/m);
  assert.deepEqual(after('who can be reached from outside').trim().split('\n'), [
    '0.0.0.0:443',
    '0.0.0.0:80',
    '[::]:443',
    '[::]:80',
  ]);
  assert.deepEqual(after('what node-exporter says of backups').trim().split('\n'), [
    'wayfare_backup_success_timestamp_seconds',
    'wayfare_restore_drill_success_timestamp_seconds',
  ]);
  assert.equal(
    after('what Prometheus cannot read').trim(),
    '{"status":"success","data":{"resultType":"vector","result":[]}}',
  );
});
