import assert from 'node:assert/strict';
import { test } from 'node:test';
import { REQUEST_ID } from '../../../../src/domains/insight/request-log/request-log.ts';
import { RequestLine } from '../../../../src/entry/api/gates/answer.ts';
import type { ApiRequest } from '../../../../src/entry/api/gates/api-request.ts';
import { nextRequestId } from '../../../../src/entry/api/gates/envelope.ts';

const request = (quota: number | string | undefined) =>
  ({
    id: '0ab1c2d3-0000-4000-8000-000000000001',
    host: { environment: 'sandbox' },
    method: 'GET',
    route: { pattern: '/order/detail/{id}' },
    caller: quota === undefined ? undefined : { quota },
  }) as unknown as ApiRequest;

test('the log line of a request is the JSON of its fields, with a key, a member or neither', () => {
  for (const quota of [7, 'member "7"\n', undefined]) {
    const line = new RequestLine(request(quota), 404, 12);
    assert.equal(`{${line.json()}}`, JSON.stringify(line));
    assert.equal(line.key, quota);
  }
});

test('request ids have one form and none comes twice', () => {
  const ids = Array.from({ length: 1000 }, nextRequestId);
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, REQUEST_ID);
});
