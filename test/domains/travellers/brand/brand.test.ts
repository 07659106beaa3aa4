import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  refillLink,
  requireColor,
  requireName,
  requireRefillUrl,
  requireSupportUrl,
} from '../../../../src/domains/travellers/brand/brand.ts';

test('a support link is https or mailto, written as a browser reads it', () => {
  assert.equal(requireSupportUrl(' https://Help.Example.com/a b '), 'https://help.example.com/a%20b');
  assert.equal(requireSupportUrl('mailto:help@example.com'), 'mailto:help@example.com');
  assert.equal(requireSupportUrl(''), '');
  const wrong = [
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'http://example.com',
    '//example.com',
    'example.com',
    'https://user:pass@example.com',
    'mailto:a@example.com?bcc=b@example.com',
    'mailto:',
    `https://example.com/${'a'.repeat(300)}`,
  ];
  for (const url of wrong) assert.throws(() => requireSupportUrl(url), { code: 'invalid_support_url' }, url);
});

test('a refill link is https with the ICCID where the partner wants it, or else as a parameter', () => {
  const linked = (given: string) => refillLink(requireRefillUrl(given), '8900');
  for (const [given, link] of [
    ['https://Shop.Example/refill/{iccid}', 'https://shop.example/refill/8900'],
    ['https://shop.example/?sim={iccid}&again={iccid}#{iccid}', 'https://shop.example/?sim=8900&again=8900#8900'],
    [' https://shop.example ', 'https://shop.example/?iccid=8900'],
    ['https://shop.example/a b?from=page#more', 'https://shop.example/a%20b?from=page&iccid=8900#more'],
    ['https://shop.example/{other}/"><script>', 'https://shop.example/%7Bother%7D/%22%3E%3Cscript%3E?iccid=8900'],
  ] as const)
    assert.equal(linked(given), link);
  assert.equal(requireRefillUrl('  '), '');
  assert.equal(requireRefillUrl('https://shop.example/{iccid}'), 'https://shop.example/{iccid}');
  const wrong = [
    'javascript:alert({iccid})',
    'java\tscript:alert(1)//{iccid}',
    'data:text/html,{iccid}',
    'http://shop.example/{iccid}',
    'mailto:shop@example.com',
    '//shop.example/{iccid}',
    'shop.example/{iccid}',
    '{iccid}',
    'https://{iccid}',
    'https://{iccid}.shop.example/',
    'https://shop.example:{iccid}/',
    'https://{iccid}@shop.example/',
    'https://user:{iccid}@shop.example/',
    `https://shop.example/${'a'.repeat(300)}`,
  ];
  for (const url of wrong) assert.throws(() => requireRefillUrl(url), { code: 'invalid_refill_url' }, url);
});

test('a name has no invisible characters and at most 60 visible ones', () => {
  assert.equal(requireName('  Nomad & Söhne 旅 '), 'Nomad & Söhne 旅');
  for (const bad of ['a\u202eb', 'a\u200bb', 'a\nb', 'a\u0007b'])
    assert.throws(() => requireName(bad), { code: 'invalid_name' }, JSON.stringify(bad));
  assert.throws(() => requireName('a'.repeat(61)), { code: 'name_too_long' });
});

test('a colour is six hex digits', () => {
  assert.deepEqual([requireColor(' #0B5D7A '), requireColor('')], ['#0b5d7a', null]);
  for (const bad of ['red', '#fff', '#12345g', '#0b5d7a;}', 'url(#a)'])
    assert.throws(() => requireColor(bad), { code: 'invalid_color' }, bad);
});
