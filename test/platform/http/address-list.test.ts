import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { addressList, badAddresses, normalAddress, splitAddresses } from '../../../src/platform/http/address-list.ts';

const v4 = fc.ipV4();
const v6 = fc.ipV6();
const bits = (address: string): bigint => {
  if (address.includes('.')) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...Array<string>(address.includes('::') ? missing : 0).fill('0'), ...groups(right)];
  return all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n);
};

suite('an address has one spelling', () => {
  test('IPv4 mapped into IPv6 equals its IPv4, however it is written', () => {
    for (const text of [
      '192.0.2.33',
      '::ffff:192.0.2.33',
      '::FFFF:c000:221',
      '0:0:0:0:0:ffff:192.0.2.33',
      '[::ffff:c000:0221]',
    ]) {
      assert.equal(normalAddress(text), '192.0.2.33', text);
    }
  });

  test('IPv6 is written short and in lower case, without zone or brackets', () => {
    assert.equal(normalAddress('2001:0DB8:0000::0001'), '2001:db8::1');
    assert.equal(normalAddress('[fe80::1%eth0]'), 'fe80::1');
    assert.equal(normalAddress('::ffff:0:c000:221'), '::ffff:0:c000:221', 'translated, not mapped');
  });

  test('anything else is no address', () => {
    for (const text of [
      '',
      'localhost',
      '1.2.3',
      '1.2.3.256',
      '01.2.3.4',
      '::ffff:999.1.1.1',
      '1.2.3.4:80',
      '::g',
      '1::2::3',
    ]) {
      assert.equal(normalAddress(text), undefined, text);
    }
  });

  test('any two spellings of one address come out alike, and reading it again changes nothing', () => {
    fc.assert(
      fc.property(v4, (address) => {
        const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
        const hex = `::ffff:${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
        assert.equal(normalAddress(`::ffff:${address}`), address);
        assert.equal(normalAddress(hex), address);
      }),
    );
    fc.assert(
      fc.property(v6, (address) => {
        const once = normalAddress(address) ?? '';
        assert.equal(normalAddress(once), once);
        assert.equal(normalAddress(address.toUpperCase()), once);
      }),
    );
  });
});

suite('the allow-list', () => {
  test('addresses and blocks are separated by commas or newlines, with spaces as one likes', () => {
    assert.deepEqual(splitAddresses(' 1.2.3.4, 10.0.0.0/8\r\n::1\n\n,2001:db8::/32 '), [
      '1.2.3.4',
      '10.0.0.0/8',
      '::1',
      '2001:db8::/32',
    ]);
    assert.deepEqual(splitAddresses(' \n,'), []);
  });

  test('an entry that is neither is named', () => {
    const bad = [
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/8/8',
      '10.0.0.0/-1',
      '::/129',
      'x',
      '1.2.3.4 5.6.7.8',
      '::ffff:999.1.1.1',
    ];
    assert.deepEqual(badAddresses(['10.0.0.0/8', ...bad, '::/0']), bad);
  });

  test('a block over the mapped form means the IPv4 block', () => {
    const list = addressList(['::ffff:10.0.0.0/104']);
    assert.deepEqual(
      ['10.255.0.1', '11.0.0.1'].map((address) => list.has(address)),
      [true, false],
    );
  });

  test('the families are apart: all of IPv6 is not IPv4, and the other way round', () => {
    assert.equal(addressList(['::/0']).has('192.0.2.1'), false);
    assert.equal(addressList(['0.0.0.0/0']).has('2001:db8::1'), false);
  });

  test('a block holds exactly the addresses that share its first bits', () => {
    for (const [family, width] of [
      [v4, 32],
      [v6, 128],
    ] as const) {
      fc.assert(
        fc.property(family, family, fc.integer({ min: 0, max: width }), (network, address, prefix) => {
          const [written, asked] = [normalAddress(network), normalAddress(address)];
          fc.pre(
            written !== undefined &&
              asked !== undefined &&
              written.includes('.') === asked.includes('.') &&
              written.includes('.') === (width === 32),
          );
          const shift = BigInt(width - prefix);
          const same = bits(written) >> shift === bits(asked) >> shift;
          assert.equal(addressList([`${network}/${prefix}`]).has(asked), same);
          assert.equal(addressList([network]).has(asked), written === asked);
        }),
        { numRuns: 300 },
      );
    }
  });
});
