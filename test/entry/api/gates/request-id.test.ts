import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REQUEST_ID } from '../../../../src/domains/insight/request-log/request-log.ts';
import { nextRequestId } from '../../../../src/entry/api/gates/envelope.ts';

test('request ids have one form and none comes twice', () => {
  const ids = Array.from({ length: 1000 }, nextRequestId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, REQUEST_ID);
});
