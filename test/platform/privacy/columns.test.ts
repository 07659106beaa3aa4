import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { personalColumns } from '../../../src/platform/db/migrate/personal-columns.ts';
import { sharedPlaces, worldPlaces } from '../../../src/platform/privacy/places.ts';
import { personalTable, textColumns, withTable } from '../../support/database/personal-columns.ts';
import { freshDatabase } from '../../support/database/postgres.ts';
import { impersonal } from './impersonal.ts';

let columns: Awaited<ReturnType<typeof textColumns>>;
before(async () => {
  const { url, drop } = await freshDatabase();
  columns = await textColumns(url);
  await drop();
});

const isPersonal = ({ comment }: { readonly comment: string | null }) => comment?.startsWith('personal: ') ?? false;

test('every column that can hold a text is classified: its comment says what it has of a person, or it is known to have nothing', () => {
  const known = new Set(
    Object.entries(impersonal).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`)),
  );
  const unknown = columns.filter((column) => !isPersonal(column) && !known.has(column.name)).map(({ name }) => name);
  assert.deepEqual(
    unknown,
    [],
    'classify them in src/platform/db/migrate/personal-columns.ts or test/platform/privacy/impersonal.ts',
  );
  const there = new Set(columns.map(({ name }) => name));
  assert.deepEqual(
    [...known].filter((name) => !there.has(name)),
    [],
    'these are gone',
  );
  assert.deepEqual(
    columns.filter((column) => isPersonal(column) && known.has(column.name)).map(({ name }) => name),
    [],
  );
});

test('every comment is on a column that is there', () => {
  const commented = new Set(columns.filter(isPersonal).map(({ name }) => name));
  assert.deepEqual(
    personalColumns.map(({ name }) => name).filter((name) => !commented.has(name)),
    [],
  );
});

/** They go with a row that is erased, or with the operator. */
const follow =
  /^(member_links|second_factors|passkeys|member_identities|sign_in_failures|staff_\w+|action_keys|invoice_lines)$/;

test('every table with personal data is one that erasing looks at', () => {
  const places = new Set([...worldPlaces, ...sharedPlaces].map(({ table }) => table));
  const tables = new Set(columns.filter(isPersonal).map(({ name }) => name.split('.')[0] ?? ''));
  assert.deepEqual(
    [...tables].filter((table) => !places.has(table) && !follow.test(table)),
    [],
  );
});

test('the table in docs/privacy.md is that of the schema', () => {
  const page = readFileSync(new URL('../../../docs/privacy.md', import.meta.url), 'utf8');
  assert.equal(page, withTable(page, personalTable(columns)), 'run npm run schema');
  assert.ok(page.includes('`help_requests`'));
});
