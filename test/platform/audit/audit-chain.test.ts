import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { verifyLines } from '../../../src/platform/audit/audit-chain.ts';
import { newSecret, openVault } from '../../../src/platform/vault/secrets.ts';
import { type TestApp, testApp } from '../../support/program/app.ts';
import { run } from '../../support/program/operator.ts';

let t: TestApp;
let folder: string;
let lines: string[];
before(async () => {
  t = await testApp();
  folder = await mkdtemp(join(tmpdir(), 'wayfare-chain-'));
  const partner = await run(t.operator(), 'partner create --name Acme --email acme@example.com');
  for (const name of ['One', 'Two', 'Three'])
    await run(t.operator(), `partner set ${partner.partner_id} --name ${name}`);
  ({ lines } = await run(t.operator(), 'audit export'));
});
after(async () => {
  await t[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function verdict(changed: readonly string[]) {
  const file = join(folder, 'audit.jsonl');
  await writeFile(file, `${changed.join('\n')}\n`);
  return run(t.operator(), `audit verify ${file}`);
}

test('what was exported is proved: every line has the hash of the line before', async () => {
  assert.equal(lines.length, 5, 'four entries and the signature');
  assert.deepEqual(await verdict(lines), { ok: true, lines: 4 });
  assert.equal(JSON.parse(lines[0] ?? '').what, 'partner create');
});

test('a line that is changed, added, moved or taken away breaks the chain, also at both ends', async () => {
  const [first = '', second = '', third = '', fourth = '', last = ''] = lines;
  const broken = {
    changed: [first, second.replace('One', 'Won'), third, fourth, last],
    'changed before the signature': [first, second, third, fourth.replace('Three', 'Trees'), last],
    'taken away': [first, third, fourth, last],
    'the first taken away': [second, third, fourth, last],
    'the last entry taken away': [first, second, third, last],
    'cut off': [first, second, third],
    moved: [first, third, second, fourth, last],
    added: [first, second, second, third, fourth, last],
    'added at the end': [...lines, first],
    'no JSON': [first, 'x', third, fourth, last],
    nothing: [],
  };
  for (const [what, changed] of Object.entries(broken)) assert.equal((await verdict(changed)).ok, false, what);
});

test('somebody without the secret cannot make a chain that is proved', async () => {
  async function* given() {
    yield* lines;
  }
  assert.deepEqual(await verifyLines(t.base.vault, given()), { ok: true, lines: 4 });
  assert.equal((await verifyLines(openVault(newSecret()), given())).ok, false);
});

test('an export has the entries from one time on and before another', async () => {
  const all = lines.slice(0, -1).map((line) => JSON.parse(line).at as string);
  const from = new Date(all[2] ?? '');
  const part = await run(t.operator(), ['audit', 'export', '--from', from.toISOString().replace(/\.\d+/, '')]);
  assert.ok(part.lines.length <= lines.length && part.lines.length >= 3);
  await assert.rejects(
    run(t.operator(), ['audit', 'export', '--from', '2030-01-02 00:00:00', '--to', '2030-01-01 00:00:00']),
    /--from must be before --to/,
  );
  const none = await run(t.operator(), ['audit', 'export', '--to', '2000-01-01 00:00:00']);
  assert.deepEqual(await verdict(none.lines), { ok: true, lines: 0 });
});
