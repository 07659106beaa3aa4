import { suite, test } from 'node:test';
import { attacks } from './attacks.ts';

suite('attacks that were found or thought of, in their long form', () => {
  for (const { name, tries, run } of attacks.filter(({ needsBrowser }) => !needsBrowser))
    test(`${name}: ${tries}`, (t) => run({ size: 'long', held: (what) => t.diagnostic(what) }));
});
