import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stockedApp } from '../../../../support/sales/catalog.ts';

test('catalog/countries: one row per country, sorted by code, with its region; regions are no rows', async () => {
  await using t = await stockedApp([]);
  const { status, body } = await t.get('/catalog/countries', { key: t.key1 });
  assert.equal(status, 200);
  assert.equal(body.count, 4);
  assert.deepEqual(
    body.countries.map((row: { country_code: string; region: string }) => [row.country_code, row.region]),
    [
      ['FR', 'europe'],
      ['JP', 'asia'],
      ['NU', ''],
      ['TR', 'europe'],
    ],
  );
  const image = 'http://panel.test/flags/tr.svg';
  assert.deepEqual(body.countries[3], {
    country_code: 'TR',
    title: 'Türkiye',
    slug: 'turkiye',
    image,
    region: 'europe',
  });
  assert.equal('livemode' in body, false);

  const flag = await t.get('/flags/tr.svg', { host: 'panel' });
  assert.deepEqual([flag.status, flag.headers['content-type']], [200, 'image/svg+xml']);
  assert.match(flag.text, /^<svg /);
});

test('a sandbox key reads the same catalog, marked livemode false', async () => {
  await using t = await stockedApp([]);
  const live = await t.get('/catalog/countries', { key: t.key1 });
  const sandbox = await t.get('/catalog/countries', { key: await t.key(t.partner1, 'sandbox') });
  assert.deepEqual(sandbox.body, { ...live.body, livemode: false });
});

test('flags: regions have one too, anything else is not found', async () => {
  await using t = await stockedApp([]);
  const status = async (file: string) => (await t.get(`/flags/${file}`, { host: 'panel' })).status;
  assert.equal(await status('europe.svg'), 200);
  assert.equal(await status('asia.svg'), 200);
  assert.equal(await status('qq.svg'), 404);
  assert.equal(await status('tr.png'), 404);
  assert.equal(await status('..%2F..%2Fpackage.json'), 404);
});
