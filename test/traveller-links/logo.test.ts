import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Refused } from '../../src/contract/refused.ts';
import { requireLogo } from '../../src/traveller-links/brand.ts';
import { chunk, end, header, pixels, pngOf, SIGNATURE } from '../support/png.ts';

const code = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
  return 'accepted';
};

suite('a PNG logo is written again from the chunks a picture needs', () => {
  const picture = pngOf(2, 2);
  const data = pixels(2, 2);

  test('texts, profiles and what follows the end are gone', () => {
    const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const chatty = Buffer.concat([SIGNATURE, header(2, 2), text, data, end, Buffer.from('<script>')]);
    const { type, bytes } = requireLogo(chatty);
    assert.deepEqual([type, bytes.equals(picture)], ['image/png', true]);
  });

  const refused = {
    'a wrong checksum': Buffer.from(picture.map((byte, i) => (i === 20 ? byte ^ 1 : byte))),
    'no end': picture.subarray(0, -12),
    'no pixels': Buffer.concat([SIGNATURE, header(2, 2), end]),
    'two headers': Buffer.concat([SIGNATURE, header(2, 2), header(2, 2), data, end]),
    'fewer pixels than the header says': Buffer.concat([SIGNATURE, header(2, 3), data, end]),
    'more pixels than the header says': Buffer.concat([SIGNATURE, header(1, 1), data, end]),
    'a colour type that does not exist': Buffer.concat([SIGNATURE, header(2, 2, [8, 5, 0, 0, 0]), data, end]),
    'pixels that are not compressed': Buffer.concat([SIGNATURE, header(2, 2), chunk('IDAT', Buffer.alloc(14)), end]),
    'a signature alone': SIGNATURE,
  };
  for (const [name, file] of Object.entries(refused))
    test(`refused: ${name}`, () =>
      assert.equal(
        code(() => requireLogo(file)),
        'invalid_logo',
      ));

  test('a picture of gigantic sides is refused before anything is unpacked', () => {
    const bomb = Buffer.concat([SIGNATURE, header(60_000, 60_000), data, end]);
    assert.equal(
      code(() => requireLogo(bomb)),
      'logo_too_large',
    );
  });
});

test('an SVG is refused with what to do instead', () => {
  for (const file of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<?xml version="1.0"?><svg/>'])
    assert.throws(() => requireLogo(Buffer.from(file)), { code: 'invalid_logo', message: /export it as PNG/ });
});

test('a logo is a PNG of at most 100 kB', () => {
  assert.equal(
    code(() => requireLogo(Buffer.from('GIF89a'))),
    'invalid_logo',
  );
  assert.equal(
    code(() => requireLogo(Buffer.from('<html><svg></svg></html>'))),
    'invalid_logo',
  );
  assert.equal(
    code(() => requireLogo(Buffer.alloc(100 * 1024 + 1))),
    'logo_too_large',
  );
});
