import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceList, UPDATED } from '../../../../../src/entry/api/endpoints/catalog/devices.ts';
import { testApp } from '../../../../support/program/app.ts';
import { refused } from '../../../../support/refusal.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());
const partnerId = await t.partner();

test('the list: at least 150 models, each named once, with a system we know and the date of the list', () => {
  assert.ok(deviceList.length >= 150, `${deviceList.length}`);
  const names = deviceList.map(({ brand, model }) => `${brand} ${model}`);
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  );
  for (const device of deviceList) {
    for (const text of [device.brand, device.model]) assert.match(text, /^\S(.*\S)?$/);
    assert.ok(['iOS', 'iPadOS', 'Android', 'Windows'].includes(device.os), device.model);
  }
  assert.match(UPDATED, /^\d{4}-\d\d-\d\d$/);
});

for (const mode of ['live', 'sandbox'] as const) {
  const marked = mode === 'live' ? {} : { livemode: false };

  test(`${mode}: catalog/devices answers the whole list, or the devices that contain every word of the search, in any case`, async () => {
    const key = await t.key(partnerId, mode);
    const ask = async (query: string) => (await t.get(`/catalog/devices${query}`, { key })).body;
    const { devices: all, count, updated } = await ask('');
    assert.deepEqual([all, count, updated], [deviceList, deviceList.length, UPDATED]);
    assert.equal((await ask('?search=')).count, count);
    const named = async (search: string) =>
      (await ask(`?search=${encodeURIComponent(search)}`)).devices.map(({ model }: { model: string }) => model);
    assert.deepEqual(await named('  PIXEL   8 pro '), ['Pixel 8 Pro']);
    assert.deepEqual(await named('pro google 8'), ['Pixel 8 Pro']);
    assert.ok((await named('android')).length > 100);
    assert.deepEqual(await named('nokia 3310'), []);
    assert.deepEqual(await named('.*'), []);
  });

  test(`${mode}: a search that is not one plain text, or too long, is refused`, async () => {
    const key = await t.key(partnerId, mode);
    for (const query of ['search=a&search=b', 'search[]=a', `search=${'a'.repeat(101)}`])
      refused(await t.get(`/catalog/devices?${query}`, { key }), 'invalid_search', marked);
  });
}

test('it has an ETag, and a copy that is current is not sent again', async () => {
  const key = await t.key(partnerId);
  const { headers } = await t.get('/catalog/devices', { key });
  const again = await t.get('/catalog/devices', { key, headers: { 'if-none-match': String(headers.etag) } });
  assert.equal(again.status, 304);
});
