import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { requireLogo } from '../../../../src/domains/travellers/brand/logo.ts';
import { Refused } from '../../../../src/platform/contract/refused.ts';
import { chunk, end, header, pixels, pngOf, SIGNATURE } from '../../../support/browser/png.ts';

const code = async (file: Buffer): Promise<string> => {
  try {
    await requireLogo(file);
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
  return 'accepted';
};

suite('a PNG logo is written again from the chunks a picture needs', () => {
  const picture = pngOf(2, 2);
  const data = pixels(2, 2);

  test('texts, profiles and what follows the end are gone', async () => {
    const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const chatty = Buffer.concat([SIGNATURE, header(2, 2), text, data, end, Buffer.from('<script>')]);
    const { type, bytes } = await requireLogo(chatty);
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
    test(`refused: ${name}`, async () => assert.equal(await code(file), 'invalid_logo'));

  test('a picture of gigantic sides is refused before anything is unpacked', async () => {
    const bomb = Buffer.concat([SIGNATURE, header(60_000, 60_000), data, end]);
    assert.equal(await code(bomb), 'logo_too_large');
  });
});

suite('a logo that unpacks to much', () => {
  /** Sixteen bits for each of red, green, blue and transparency: the most bytes a pixel has. */
  const deep = (width: number, height: number) => {
    const rows = deflateSync(Buffer.alloc(height * (width * 8 + 1)), { level: 9 });
    return Buffer.concat([SIGNATURE, header(width, height, [16, 6, 0, 0, 0]), chunk('IDAT', rows), end]);
  };

  test('is refused above a million pixels, and the message says how many it has', async () => {
    const bomb = deep(2_000, 2_000);
    assert.ok(bomb.length < 32 * 1024, `${bomb.length} bytes unpack to 32 MB`);
    await assert.rejects(requireLogo(bomb), {
      code: 'logo_too_large',
      message: /2000 × 2000 pixels.*at most a million/,
    });
    assert.equal(await code(pngOf(1_000, 1_000)), 'accepted');
    assert.equal(await code(pngOf(1_001, 1_000)), 'logo_too_large');
  });

  test('is unpacked beside the main thread, which goes on meanwhile', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await requireLogo(deep(1_000, 1_000));
    isOver = true;
    assert.ok(turns > 10, `${turns} turns of the event loop`);
  });

  test('waits for its turn, and is refused when too many wait', async () => {
    const ends = await Promise.all(Array.from({ length: 25 }, () => code(pngOf(9, 9))));
    assert.deepEqual(
      [ends.filter((end) => end === 'accepted').length, ends.filter((end) => end === 'too_many_attempts').length],
      [21, 4],
    );
    assert.equal(await code(pngOf(9, 9)), 'accepted');
  });
});

suite('of a WebP logo the header is read', () => {
  const lossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64');
  const lossy = Buffer.from('UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA', 'base64');
  const riff = (...chunks: [type: string, data: Buffer][]) => {
    const uint32 = (value: number) => Buffer.from([0, 8, 16, 24].map((shift) => (value >>> shift) & 255));
    const body = chunks.map(([type, data]) =>
      Buffer.concat([Buffer.from(type), uint32(data.length), data, Buffer.alloc(data.length % 2)]),
    );
    const all = Buffer.concat([Buffer.from('WEBP'), ...body]);
    return Buffer.concat([Buffer.from('RIFF'), uint32(all.length), all]);
  };
  const frame = lossless.subarray(20, 33);
  const lossyFrame = lossy.subarray(20);
  const header = (flags: number, side = 1) =>
    Buffer.from([flags, 0, 0, 0, side - 1, (side - 1) >> 8, 0, side - 1, (side - 1) >> 8, 0]);

  test('it is kept as it is, without what follows its end', async () => {
    const alpha = riff(['VP8X', header(0x10)], ['ALPH', Buffer.from([0, 255])], ['VP8 ', lossyFrame]);
    for (const picture of [lossless, lossy, alpha]) {
      const { type, bytes } = await requireLogo(Buffer.concat([picture, Buffer.from('<script>')]));
      assert.deepEqual([type, bytes.equals(picture)], ['image/webp', true]);
    }
  });

  const wide = Buffer.from(frame);
  wide.writeUInt32LE(2_000, 1);
  const large = Buffer.from(frame);
  large.writeUInt32LE(1_000 | (1_000 << 14), 1);
  const refused: Record<string, [Buffer, string]> = {
    'it is cut off': [lossless.subarray(0, -4), 'invalid_logo'],
    'it has no picture': [riff(['EXIF', frame]), 'invalid_logo'],
    'it is animated': [riff(['VP8X', header(2)], ['ANIM', Buffer.alloc(6)], ['VP8L', frame]), 'invalid_logo'],
    'its frame is none': [riff(['VP8 ', frame]), 'invalid_logo'],
    'its version is unknown': [riff(['VP8L', Buffer.from([0x2f, 0, 0, 0, 0xff])]), 'invalid_logo'],
    'its sides are gigantic': [riff(['VP8L', wide]), 'logo_too_large'],
    'its canvas is': [riff(['VP8X', header(0x10, 2_001)], ['VP8 ', lossyFrame]), 'logo_too_large'],
    'it has more than a million pixels': [riff(['VP8L', large]), 'logo_too_large'],
    'it ends after its name': [Buffer.from('RIFF\x04\0\0\0WEBP', 'latin1'), 'invalid_logo'],
  };
  for (const [name, [file, expected]] of Object.entries(refused))
    test(`refused: ${name}`, async () => assert.equal(await code(file), expected));
});

test('an SVG is refused with what to do instead', async () => {
  for (const file of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<?xml version="1.0"?><svg/>'])
    await assert.rejects(requireLogo(Buffer.from(file)), { code: 'invalid_logo', message: /export it as PNG/ });
});

test('a logo is a PNG or WebP of at most 100 kB', async () => {
  assert.equal(await code(Buffer.from('GIF89a')), 'invalid_logo');
  assert.equal(await code(Buffer.from('<html><svg></svg></html>')), 'invalid_logo');
  assert.equal(await code(Buffer.alloc(100 * 1024 + 1)), 'logo_too_large');
});
