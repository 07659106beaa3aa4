import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Refused } from '../../../src/platform/contract/refused.ts';
import { readSources } from '../../support/sources.ts';

test('a refusal that is not in the table does not compile, nor one without a sentence', () => {
  // @ts-expect-error: the table has no such code.
  assert.throws(() => new Refused('never_heard_of'));
  // @ts-expect-error: what was wrong with the input is known only where it is refused.
  assert.equal(new Refused('invalid_input').status, 400);
  assert.equal(new Refused('refund_not_found', 'none was requested').status, 404);
});

test('no sentence that a page can show names an option or a command', () => {
  // Their commands run on the operator's machine, never in the console.
  const onlyAtTheTerminal = ['no_secret'];
  const texts = readSources().flatMap(({ path, text }) => [
    ...[...text.matchAll(/new Refused\(\s*'(\w+)',\s*(['`])((?:\\.|(?!\2).)*)\2/gs)].map(
      ([, code = '', , said = '']) => ({
        path,
        code,
        said,
      }),
    ),
    ...[...text.matchAll(/\bpage: (['`])((?:\\.|(?!\1).)*)\1/gs)].map(([, , said = '']) => ({ path, code: '', said })),
    ...(path === 'platform/contract/refused.ts'
      ? [...text.matchAll(/^ {2}(\w+): \[\d+, '([^']+)'\]/gm)].map(([, code = '', said = '']) => ({ path, code, said }))
      : []),
  ]);
  assert.ok(texts.length > 150, `only ${texts.length} were found`);
  const wrong = texts.filter(({ code, said }) => /--[a-z]|\\`/.test(said) && !onlyAtTheTerminal.includes(code));
  assert.deepEqual(wrong, []);
});
