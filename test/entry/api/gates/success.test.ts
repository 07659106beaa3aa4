import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { liveMark, sandboxMark, success } from '../../../../src/entry/api/gates/envelope.ts';

test('an answer opens with the envelope and goes on with its own fields', () => {
  const envelope = { result: 'ok', code: '200', title: 'Successful', api_version: 3 };
  for (const body of [{}, { balance: 12.5 }, { name: 'Åland "}', list: [], nested: { result: 'x' } }]) {
    assert.deepEqual(JSON.parse(success(200, liveMark, body)), { ...envelope, ...body });
    const sandbox = { ...envelope, code: '202', livemode: false };
    assert.deepEqual(JSON.parse(success(202, sandboxMark, body)), { ...sandbox, ...body });
  }
});

test('no reply names a field the envelope already has: it would be there twice', () => {
  const taken = Object.keys(JSON.parse(success(200, sandboxMark, {})));
  for (const { path, reply, fileType } of endpoints) {
    // A file has no envelope.
    if (fileType !== undefined) continue;
    const shapes = [reply, ...((reply as { anyOf?: object[] }).anyOf ?? [])] as { properties?: object }[];
    const names = shapes.flatMap(({ properties }) => Object.keys(properties ?? {}));
    assert.ok(names.length > 0, `${path} declares no field`);
    assert.deepEqual(
      names.filter((name) => taken.includes(name)),
      [],
      path,
    );
  }
});
