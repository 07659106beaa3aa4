import assert from 'node:assert/strict';
import { test } from 'node:test';
import { esimFields } from '../../../../src/entry/api/endpoints/order/detail.ts';
import { MOST_KEPT, maskedAnswer } from '../../../../src/entry/api/gates/masked-answer.ts';

const SECRET = 'deadbeefcafe0123';
const masked = (value: unknown) => JSON.parse(maskedAnswer(JSON.stringify(value)));
/** What names the eSIM or tells how to set it up, and opens nothing. */
const open = ['iccid', 'apn', 'apn_type', 'apn_value', 'is_roaming', 'erased'];

test('activation data, credentials and people are replaced, whatever they are, wherever they stand; all else stays', () => {
  const esim = Object.fromEntries(Object.keys(esimFields).map((name) => [name, SECRET]));
  const shown = masked({ orders: [{ esim, id: '7' }], secret: SECRET, share_url: `https://a.example/${SECRET}` });
  for (const name of Object.keys(esimFields))
    assert.equal(shown.orders[0].esim[name], open.includes(name) ? SECRET : '[hidden]', name);
  assert.deepEqual([shown.orders[0].id, shown.secret, shown.share_url], ['7', '[hidden]', '[hidden]']);
  assert.deepEqual(masked({ buyer: { name: 'a', lines: [{ x: ['}'] }] }, after: 1 }), { buyer: '[hidden]', after: 1 });
  assert.deepEqual(masked({ msisdn: 8180, email: '', lpa: null, qr_code: true, total: -1.5e3 }), {
    msisdn: '[hidden]',
    email: '',
    lpa: null,
    qr_code: true,
    total: -1500,
  });
  assert.deepEqual(masked({ secret_mask: 'whsec_…1', data: { access_token: 'x', apple_url: 'y', matchingId: 'z' } }), {
    secret_mask: 'whsec_…1',
    data: { access_token: '[hidden]', apple_url: '[hidden]', matchingId: '[hidden]' },
  });
});

test('what is shaped like a secret is cut out of every text', () => {
  for (const text of [
    `esk_test_${SECRET}${SECRET}00000000`,
    `whsec_${SECRET}`,
    `LPA:1$smdp.example$${SECRET}`,
    `see https://u:${SECRET}@a.example/x?y=${SECRET}`,
  ])
    assert.ok(!maskedAnswer(JSON.stringify({ note: text, list: [text] })).includes(SECRET), text);
});

test('no text leads the masking out of step', () => {
  for (const text of ['"', '\\', ':', '":', '","secret":"', '{', ']', '[{"secret":"x"}', '\\",', '-1', '\u2028'])
    assert.deepEqual(masked({ [text]: text, list: [text, [text]], secret: text, last: text }), {
      [text]: text,
      list: [text, [text]],
      secret: '[hidden]',
      last: text,
    });
});

test('of a long answer its beginning is kept, and a secret that was cut in the middle is not', () => {
  const filler = 'x'.repeat(MOST_KEPT - 40);
  for (let at = 0; at < 60; at++) {
    const text = JSON.stringify({ filler: filler.slice(at), note: `LPA:1$smdp.example$${SECRET}`, secret: SECRET });
    const kept = maskedAnswer(text);
    assert.ok(kept.length <= MOST_KEPT && kept.startsWith('{"filler":"xx'), String(at));
    assert.ok(!/deadbeef|LPA:1/.test(kept), kept.slice(-80));
  }
  const long = JSON.stringify({ secret: { in: 'y'.repeat(MOST_KEPT) } });
  assert.equal(maskedAnswer(long), '{"secret":"[hidden]"');
});
