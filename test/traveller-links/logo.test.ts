import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
import { Refused } from '../../src/contract/refused.ts';
import { requireLogo } from '../../src/traveller-links/brand.ts';

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
  const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
  const chunk = (type: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = (width: number, height: number, more = [8, 2, 0, 0, 0]): Buffer => {
    const sides = Buffer.alloc(8);
    sides.writeUInt32BE(width);
    sides.writeUInt32BE(height, 4);
    return chunk('IHDR', Buffer.concat([sides, Buffer.from(more)]));
  };
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(2 * (2 * 3 + 1))));
  const end = chunk('IEND', Buffer.alloc(0));
  const picture = Buffer.concat([SIGNATURE, header(2, 2), pixels, end]);

  test('texts, profiles and what follows the end are gone', () => {
    const text = chunk('tEXt', Buffer.from('Comment\0<script>alert(1)</script>'));
    const chatty = Buffer.concat([SIGNATURE, header(2, 2), text, pixels, end, Buffer.from('<script>')]);
    const { type, bytes } = requireLogo(chatty);
    assert.deepEqual([type, bytes.equals(picture)], ['image/png', true]);
  });

  const refused = {
    'a wrong checksum': Buffer.from(picture.map((byte, i) => (i === 20 ? byte ^ 1 : byte))),
    'no end': picture.subarray(0, -12),
    'no pixels': Buffer.concat([SIGNATURE, header(2, 2), end]),
    'two headers': Buffer.concat([SIGNATURE, header(2, 2), header(2, 2), pixels, end]),
    'fewer pixels than the header says': Buffer.concat([SIGNATURE, header(2, 3), pixels, end]),
    'more pixels than the header says': Buffer.concat([SIGNATURE, header(1, 1), pixels, end]),
    'a colour type that does not exist': Buffer.concat([SIGNATURE, header(2, 2, [8, 5, 0, 0, 0]), pixels, end]),
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
    const bomb = Buffer.concat([SIGNATURE, header(60_000, 60_000), pixels, end]);
    assert.equal(
      code(() => requireLogo(bomb)),
      'logo_too_large',
    );
  });
});

suite('an SVG logo holds nothing but a drawing', () => {
  const svg = (inside: string, attributes = '') =>
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" ${attributes}>${inside}</svg>`);
  const cleaned = (file: Buffer) => requireLogo(file).bytes.toString();

  test('what editors write is kept where it draws and dropped where it does not', () => {
    const file = Buffer.from(`<?xml version="1.0"?>
<!-- Generator: an editor -->
<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">
<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="http://ns.example/i" viewBox='0 0 10 10' version="1.1" data-name="x">
  <title>Logo &amp; more</title><metadata><i:rdf a="1"/></metadata><i:view zoom="1"><path d="M0 0"/></i:view>
  <defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient>
    <linearGradient id="b" xlink:href="#a"/></defs>
  <g i:label="one" style="fill:url(#b);-inkscape-font:x; stroke-width:2"><path d="M1 1h2z"/></g>
</svg>`);
    assert.equal(
      cleaned(file),
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><defs><linearGradient id="a">' +
        '<stop offset="0" stop-color="#fff"/></linearGradient><linearGradient id="b" href="#a"/></defs>' +
        '<g fill="url(#b)" stroke-width="2"><path d="M1 1h2z"/></g></svg>',
    );
  });

  test('what was cleaned is accepted again and does not change', () => {
    const once = cleaned(svg('<circle cx="1" cy="1" r="1" fill="rgb(1, 2, 3)"/>'));
    assert.equal(cleaned(Buffer.from(once)), once);
  });

  const unsafe = {
    'a script': svg('<script>alert(1)</script>'),
    'a script in capitals': svg('<SCRIPT>alert(1)</SCRIPT>'),
    'an event': svg('<path d="M0 0" onload="alert(1)"/>'),
    'an event of the drawing': svg('', 'onload="alert(1)"'),
    'HTML inside': svg('<foreignObject><p>x</p></foreignObject>'),
    'a picture from elsewhere': svg('<image href="https://evil.example/x.png"/>'),
    'a link': svg('<a href="javascript:alert(1)"><path d="M0 0"/></a>'),
    'a reference outside': svg('<linearGradient href="https://evil.example/#a"/>'),
    'an old reference outside': svg('<linearGradient xlink:href="//evil.example/#a"/>'),
    'a copy of an element': svg('<use href="#a"/>'),
    'a style sheet': svg('<style>@import url(https://evil.example/)</style>'),
    'a style that loads': svg('<path style="fill:url(https://evil.example/)" d="M0 0"/>'),
    'a fill that loads': svg('<path fill="url(https://evil.example/#a)" d="M0 0"/>'),
    'a mask that loads': svg('<path mask="url(//evil.example/#a)" d="M0 0"/>'),
    'an escaped fill': svg('<path fill="&#117;rl(x)" d="M0 0"/>'),
    'an animation': svg('<animate attributeName="href" values="javascript:alert(1)"/>'),
    'a filter': svg('<filter id="a"/>'),
    'an entity': Buffer.from('<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>'),
    CDATA: svg('<![CDATA[<script>alert(1)</script>]]>'),
    'a processing instruction': svg('<?xml-stylesheet href="https://evil.example/"?>'),
    'elements that do not nest': svg('<g><path d="M0 0"></g></path>'),
    'a second drawing': Buffer.concat([svg(''), svg('')]),
    'a comment without an end': svg('<!-- <path d="M0 0"/>'),
    'an end that is missing': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><g>'),
    'an attribute without quotes': svg('<path d=M0/>'),
    'bytes that are not UTF-8': Buffer.concat([svg('').subarray(0, -6), Buffer.from([0xff]), Buffer.from('</svg>')]),
    'text to be drawn': svg('<text>x</text>'),
    'nesting without end': svg('<g>'.repeat(2_000) + '</g>'.repeat(2_000)),
  };
  for (const [name, file] of Object.entries(unsafe))
    test(`refused: ${name}`, () =>
      assert.equal(
        code(() => requireLogo(file)),
        'unsafe_logo',
      ));

  test('a file that tries to keep the parser busy is answered at once', () => {
    const began = performance.now();
    for (const file of [
      '<!--'.repeat(25_000),
      '<svg '.repeat(20_000),
      `<svg ${'a="b" '.repeat(16_000)}`,
      `<svg${' '.repeat(100_000)}`,
    ])
      assert.notEqual(
        code(() => requireLogo(Buffer.from(file))),
        'accepted',
      );
    assert.ok(performance.now() - began < 2_000);
  });
});

test('a logo is a PNG or an SVG of at most 100 kB', () => {
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
