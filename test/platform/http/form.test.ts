import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { notPlain } from '../../../src/platform/contract/fields.ts';
import { Form, Undecodable } from '../../../src/platform/http/form.ts';

const value = (text: string, name = 'x') => new Form(text).get(name);

suite('form decoding is strict', () => {
  test('a plus sign is a space, %XX is a byte, and bytes are UTF-8', () => {
    assert.equal(value('x=a+b%20c%2Bd'), 'a b c+d');
    assert.equal(value('x=%C3%BC%e2%82%ac'), 'ü€');
    assert.equal(value('x=%F0%9F%98%80'), '😀');
    assert.equal(value('na%6De+x=1', 'name x'), '1');
    // Sent as bytes and not as percent signs.
    assert.equal(value(Buffer.from('x=ü').toString('latin1')), 'ü');
  });

  test('a byte order mark is a character like any other', () => {
    assert.equal(value('x=%EF%BB%BFa'), '\uFEFFa');
  });

  test('= only once, && and a missing = are fine, an empty field counts as not sent but was seen', () => {
    assert.equal(value('x=a=b'), 'a=b');
    assert.equal(value('&&x=1&'), '1');
    for (const empty of ['x=', 'x', '']) assert.equal(value(empty), undefined);
    assert.deepEqual(
      ['x=', 'x', ''].map((text) => new Form(text).has('x')),
      [true, true, false],
    );
  });

  test('sent twice, with brackets, or with a NUL: not a plain string', () => {
    for (const text of ['x=1&x=1', 'x=&x=', 'x[]=1', 'x[a]=1', 'x%5B%5D=1', 'x[=1', 'x=1&x[]=2', 'x=%00', 'x=a%00b']) {
      assert.equal(value(text), notPlain, text);
    }
    assert.equal(value('[x]=1', '[x]'), '1');
    assert.equal(value('x=1&X=2'), '1');
  });

  test('names of Object.prototype are fields like any other', () => {
    assert.equal(value('', 'constructor'), undefined);
    assert.equal(value('__proto__=1', '__proto__'), '1');
  });

  test('invalid UTF-8 or a broken percent sign: a tolerated field is not plain, anywhere else nothing can be read', () => {
    for (const broken of ['%', '%4', '%g0', '%ff', '%c3', '%ed%a0%80', '%c0%af', '%f4%90%80%80']) {
      assert.equal(new Form(`key=${broken}`, ['key']).get('key'), notPlain, broken);
      assert.throws(() => new Form(`x=${broken}`), Undecodable);
      assert.throws(() => new Form(`${broken}=x`), Undecodable);
      assert.throws(() => new Form(`key=a&x=${broken}`, ['key']), Undecodable);
    }
  });

  test('whatever URLSearchParams writes comes back as it was', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => !/[[\0]/.test(text));
    fc.assert(
      fc.property(fc.dictionary(word, word), (fields) => {
        const form = new Form(new URLSearchParams(fields).toString());
        for (const [name, sent] of Object.entries(fields)) assert.equal(form.get(name), sent);
      }),
      { numRuns: 500 },
    );
  });

  test('any bytes are either read or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          new Form(Buffer.from(bytes).toString('latin1'));
        } catch (error) {
          assert.ok(error instanceof Undecodable);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
