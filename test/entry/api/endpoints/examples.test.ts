import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventExample, examplesOf } from '../../../../openapi/recorded.ts';
import { eventNames } from '../../../../src/domains/messages/events/events.ts';
import { endpoints } from '../../../../src/entry/api/endpoints.ts';
import { tour } from '../../../support/browser/tour.ts';

/** What is different every time: ids, secrets, tokens, signatures, how long something took, and the time itself. */
function blurred(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => blurred(one, name));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, blurred(one, key)]));
  if (['id', 'delivery_ids', 'duration_ms', 'timestamp'].includes(name)) return typeof value;
  if (typeof value !== 'string') return value;
  return value
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d/g, 'TIME')
    .replace(/\/(e|qr)\/[\w.-]+/g, '/$1/TOKEN')
    .replace(/\*{8}[0-9a-f]{4}/g, 'MASK')
    .replace(/\b\d{15,}\b/g, 'DIGITS')
    .replace(/[0-9a-fA-F]{8,}/g, 'HEX')
    .replace(/SBX-[\w-]+|\bsbx_[a-z]+_\w+/g, 'NAME');
}

/** The order of events of several eSIMs differs between runs, so only the fields of events and their types are compared. */
function shape(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]));
}

test('every endpoint that answers JSON and every event has an example', () => {
  // A file is no example to read.
  const answeringJson = endpoints.filter(({ fileType }) => fileType === undefined);
  for (const { path, statuses = [200] } of answeringJson)
    for (const status of statuses)
      assert.ok(
        examplesOf(path).some((example) => example.status === status),
        path,
      );
  assert.deepEqual(
    eventNames.filter((name) => !eventExample(name)),
    [],
  );
});

test('every example is what the server answers: the tour, taken again', async () => {
  const again = await tour();
  for (const [path, examples] of Object.entries(again.answers))
    assert.deepEqual(blurred(examples), blurred(examplesOf(path)), `${path}: run \`npm run examples\``);
  for (const [event, body] of Object.entries(again.events))
    assert.deepEqual(shape(body), shape(eventExample(event)), `${event}: run \`npm run examples\``);
});
