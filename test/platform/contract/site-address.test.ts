import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { hasSiteAddress, unlinked } from '../../../src/platform/contract/site-address.ts';

const addresses = [
  'PayPal Security: verify at evil.example/verify',
  'booking.com',
  'Booking.COM Ltd',
  'www.evil',
  'WWW evil',
  'http evil',
  'https://evil',
  'hxxp://evil',
  '//evil',
  'evil .example',
  'evil . example',
  'evil.\u200bexample',
  'evil.\u034fexample',
  'evil．example',
  'evil。example',
  'evil｡example',
  'evil․example',
  'ｅｖｉｌ．ｃｏｍ',
  'evil[.]example',
  'evil (.) example',
  'evil(dot)example',
  'evil dot com',
  'evil. com',
  'evil. com/verify',
  'evil·com',
  'evil・com',
  'evilꓸcom',
  'почта.рф',
  'xn--e1afmkfd.xn--p1ai',
  'security@evil.example',
  '10.0.0.1/verify',
  'i❤.ws',
];
const names = [
  'Island Hopper',
  'St. Gallen Reisen',
  'J. R. Smith',
  'J.R. Smith',
  'S.p.A. Viaggi',
  'Viaggi S.r.l.',
  'Reisebüro Müller GmbH & Co. KG',
  'Shanghai Travel Co., Ltd.',
  'No.1 Travel',
  'Wait...what',
  'Wait…what',
  '24/7 Mobile',
  'Col·legi de Viatges',
  'トーマス・クック',
  'モーニング娘。',
  'Dotcom Travel',
  'Comet Networks',
  'Httpful Travelers',
  'O’Brien & Sons',
  '1234567 Canada Inc.',
];

suite('addresses of sites in names', () => {
  for (const text of addresses)
    test(`found in ${JSON.stringify(text)}, and no link when it is mailed`, () => {
      assert.equal(hasSiteAddress(text), true);
      // What mail programs make links of: a scheme, or a dot inside a word.
      assert.doesNotMatch(unlinked(text).normalize('NFKC'), /:\/\/|\S[.。](?=[\p{L}\p{N}])/u);
    });

  for (const text of names)
    test(`not found in ${JSON.stringify(text)}, which is mailed as it is`, () => {
      assert.equal(hasSiteAddress(text), false);
      assert.equal(unlinked(text), text);
    });
});
