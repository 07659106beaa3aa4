import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FixedBody } from '../../../src/platform/http/fixed-body.ts';

test('a body that is kept holds no memory but its own, plain and compressed', async () => {
  const small = Buffer.from('a few words, again and again. '.repeat(100));
  assert.ok(small.buffer.byteLength > small.length, 'Node cut it out of a larger piece');
  const body = new FixedBody(small);
  for (const accepted of [undefined, 'gzip', 'br']) {
    const { bytes } = await body.as(accepted);
    assert.equal(bytes.buffer.byteLength, bytes.length, accepted);
  }
  assert.ok((await body.as(undefined)).bytes.equals(small));
});
