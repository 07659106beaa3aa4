import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leaksIn } from '../runner/leaks.ts';

test('the search for secrets in the logs of a run finds each one, wherever it occurs, and nothing else', () => {
  const secrets = ['esk_test_aaaa1111', 'esk_test_bbbb1111', 'wfl_é-1', 'never logged'];
  const found = (text: string) => leaksIn(Buffer.from(text), secrets).sort();
  assert.deepEqual(found('esk_test_aaaa1111'), ['esk_test_aaaa1111']);
  assert.deepEqual(found('{"a":"x-esk_test_bbbb1111y"} wfl_é-1'), ['esk_test_bbbb1111', 'wfl_é-1']);
  assert.deepEqual(found('1111 esk_test_aaaa111 sk_test_bbbb1111 never  logged'), []);
  assert.deepEqual(found(''), []);
});
