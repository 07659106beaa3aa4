import assert from 'node:assert/strict';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Type as Typebox } from 'typebox';
import { Type } from '../../../src/platform/contract/schema.ts';

type Builder = Pick<typeof Typebox, keyof typeof Type>;

/** One of each, with and without options, in each other. */
function everyKind(make: Builder): readonly object[] {
  const about = { description: 'What it is.', 'x-own': [1] };
  const text = make.String({ minLength: 1, maxLength: 9, pattern: '^a' });
  const parts = {
    text,
    count: make.Integer({ minimum: 0 }),
    amount: make.Number(),
    flag: make.Boolean(about),
    one: make.Literal('one', about),
    yes: make.Literal(true),
    two: make.Literal(2),
    few: make.Enum(['a', 'b'], about),
    nothing: make.Null(),
    never: make.Array(make.Never(), { maxItems: 0 }),
    either: make.Union([text, make.Null()], about),
    named: make.Record(make.String(), make.Unknown(about), { maxProperties: 3 }),
    short: make.Record(make.String({ maxLength: 40 }), text),
    chosen: make.Record(make.String({ pattern: '^[a-z_]{1,40}$' }), text, { additionalProperties: false }),
    maybe: make.Optional(text),
    maybeThese: make.Optional(make.Object({ text: make.Optional(text) })),
  };
  return [
    ...Object.values(parts),
    make.Object(parts),
    make.Object(parts, { ...about, additionalProperties: false }),
    make.Object({}),
  ];
}

/** With what is hidden, which comes last: where it stands among the others does not show. */
const whole = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(whole);
  const parts = Object.entries(Object.getOwnPropertyDescriptors(value));
  const inOrder = [...parts.filter(([, part]) => part.enumerable), ...parts.filter(([, part]) => !part.enumerable)];
  return inOrder.map(([name, { value: own, ...flags }]) => [name, whole(own), flags]);
};

test('a schema is what typebox would make, hidden marks and the order of its parts included', () => {
  const [ours, theirs] = [everyKind(Type), everyKind(Typebox)];
  assert.deepEqual(ours.map(whole), theirs.map(whole));
});

test('making a schema optional somewhere leaves it as it is elsewhere', () => {
  const text = Type.String();
  const either = Type.Object({ maybe: Type.Optional(text), text });
  assert.deepEqual(either.required, ['text']);
});

test('the program imports nothing from typebox but types and, when something is checked, its checks', async () => {
  const found: string[] = [];
  for await (const file of glob('src/**/*.ts'))
    for (const [line] of (await readFile(file, 'utf8')).matchAll(/^(?:import|export)(?! type )[^;]*'typebox.*$/gm))
      found.push(`${file}: ${line}`);
  // Loaded with the first import.
  assert.deepEqual(found, ["src/domains/catalog/import-format/formats.ts: import { Compile } from 'typebox/schema';"]);
});
