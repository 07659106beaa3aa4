import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { migrate } from '../../../src/platform/db/migrate/migrate.ts';
import { WORKS_WITH, worksBeside } from '../../../src/platform/db/migrate/schema-promise.ts';
import { requireKnownProcesses, SILENT_AFTER_MS } from '../../../src/platform/jobs/processes.ts';
import { version } from '../../../src/platform/settings/version.ts';
import { wayfare } from '../../support/program/cli.ts';
import { databaseOfLastRelease, type OldDatabase } from '../../support/program/last-release.ts';

const LATEST_RELEASE = '0.2.0';

/** A database with something to migrate, and processes that were seen so many milliseconds ago. */
async function usedBy(...seen: readonly (readonly [version: string, agoMs: number])[]): Promise<OldDatabase> {
  const old = await databaseOfLastRelease();
  const client = await old.connect();
  for (const [i, [of, agoMs]] of seen.entries())
    await client.query(
      `insert into processes (id, host, pid, role, version, started_at, last_seen, jobs, supplier_kinds, silent_suppliers)
      values (gen_random_uuid(), 'web1', $1, 'api', $2, now(), now() - $3 * interval '1 ms', '{}', '{}', '{}')`,
      [100 + i, of, agoMs],
    );
  return old;
}
const upgrade = (old: OldDatabase) => migrate(old.url, undefined, { requireOthers: requireKnownProcesses });
const settingsOf = (old: OldDatabase) => ({ DATABASE_URL: old.url, WAYFARE_SECRET: 'x'.repeat(32) });

suite('a database is migrated beside processes', () => {
  test('of the releases that this version works with', async () => {
    await using old = await usedBy([WORKS_WITH, 0], [LATEST_RELEASE, 0]);
    assert.ok((await upgrade(old)).length > 5);
  });

  test('of any other version not at all: one line names them, and nothing has changed', async () => {
    await using old = await usedBy(
      [LATEST_RELEASE, 0],
      ['0.2.9-dev', 0],
      ['99.0.0', 0],
      ['0.0.9', 0],
      ['unheard of', 0],
    );
    const migrations = async () => {
      const client = await old.connect();
      return (await client.query('select count(*)::int as n from shared.migrations')).rows[0].n;
    };
    const before = await migrations();
    const line = `nothing was migrated: it is not known whether api 101 on web1 (0.2.9-dev), api 102 on web1 (99.0.0), api 103 on web1 (0.0.9), api 104 on web1 (unheard of) would go on working on the schema of ${version}. Stop them first; one that was killed counts for 31 seconds`;
    await assert.rejects(upgrade(old), { code: 'processes_running', message: line });
    for (const words of [['migrate'], ['start']]) {
      const { code, stdout, stderr } = await wayfare(settingsOf(old), ...words);
      assert.deepEqual([code, stdout, stderr], [1, '', `wayfare: ${line}\n`]);
    }
    assert.equal(await migrations(), before);
  });

  test('that were killed long enough ago, whatever their version, and by clocks that ran ahead', async () => {
    await using old = await usedBy(['0.2.9-dev', SILENT_AFTER_MS + 1_000], ['99.0.0', -3_600_000]);
    assert.equal((await wayfare(settingsOf(old), 'migrate')).code, 0);
  });

  test('of any version when nothing is left to migrate', async () => {
    await using old = await usedBy();
    await upgrade(old);
    const client = await old.connect();
    await client.query(
      `insert into processes (id, host, pid, role, version, started_at, last_seen, jobs, supplier_kinds, silent_suppliers)
      values (gen_random_uuid(), 'web1', 1, 'api', '99.0.0', now(), now(), '{}', '{}', '{}')`,
    );
    assert.deepEqual(await upgrade(old), []);
  });
});

test('a refusal names five processes at most, and how many more there are', async () => {
  await using old = await usedBy(...Array.from({ length: 7 }, () => ['0.2.9-dev', 0] as const));
  await assert.rejects(upgrade(old), /api 104 on web1 \(0\.2\.9-dev\), 2 more would go on/);
});

test('a version under development is never known to work beside another, not even beside itself', () => {
  assert.equal(worksBeside('0.2.9-dev'), false);
  assert.equal(worksBeside(version), !version.includes('-'));
});
