import { suite, test } from 'node:test';
import { noBrowser } from '../support/panel-browser.ts';
import { attacks } from './attacks.ts';

suite('attacks that were found or thought of, in their long form', () => {
  for (const { name, tries, needsBrowser, run } of attacks)
    test(`${name}: ${tries}`, { skip: needsBrowser ? noBrowser : false }, (t) =>
      run({ size: 'long', held: (what) => t.diagnostic(what) }),
    );
});
