import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, palette, READABLE, readableOn, textOn } from '../../../src/platform/contract/palette.ts';

const color = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);

test('contrasts are those of WCAG', () => {
  assert.equal(contrast('#000000', '#ffffff'), 21);
  assert.equal(contrast('#777777', '#ffffff').toFixed(2), '4.48');
});

test('text on any colour, and any colour as text, can be read', () => {
  fc.assert(
    fc.property(color, (given) => {
      assert.ok(contrast(textOn(given), given) >= READABLE, given);
      for (const ground of [palette.light.page, palette.dark.card])
        assert.ok(contrast(readableOn(ground, given), ground) >= READABLE, given);
    }),
  );
});

test('a colour that can be read stays as it is', () => {
  assert.equal(readableOn('#ffffff', '#0b5d7a'), '#0b5d7a');
});

test('every text of the palette can be read on its page and on its cards', () => {
  for (const { page, card, line: _, ...texts } of Object.values(palette))
    for (const ground of [page, card])
      for (const [name, text] of Object.entries(texts))
        assert.ok(contrast(text, ground) >= READABLE, `${name} on ${ground}`);
});
