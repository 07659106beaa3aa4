import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secrets } from '../../../proving/chaos/secrets.ts';

test('a secret is found wherever it occurs in a log, and similar text is not', () => {
  const secrets = new Secrets();
  const long = 'CHAOS-8944999000000012345';
  for (const secret of [long, 'CHAOS-8944999000000099999', 'short-one']) secrets.add(secret);
  for (let before = 0; before < 40; before++) {
    const padding = 'x'.repeat(before);
    assert.equal(secrets.findIn(`${padding}${long}`), before);
    assert.equal(secrets.findIn(`${padding}${long} and so on and so on`), before);
    assert.equal(secrets.findIn(`${padding}short-one.`), before);
    assert.equal(secrets.findIn(`${padding}${long.slice(1)} ${long.slice(0, -1)} short-on`), undefined);
  }
});
