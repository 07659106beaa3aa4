import { suite, test } from 'node:test';
import { noBrowser } from '../support/panel-browser.ts';
import { attacks } from './attacks.ts';

suite('attacks that were found or thought of, on pages, in their long form', () => {
  for (const { name, tries, run } of attacks.filter(({ needsBrowser }) => needsBrowser))
    test(`${name}: ${tries}`, { skip: noBrowser }, (t) => run({ size: 'long', held: (what) => t.diagnostic(what) }));
});
