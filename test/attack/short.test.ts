import { after, suite, test } from 'node:test';
import { noBrowser } from '../support/panel-browser.ts';
import { attacks } from './attacks.ts';
import { sharedScene } from './scene.ts';

suite('attacks that were found or thought of, in their short form', () => {
  const { open: scene, [Symbol.asyncDispose]: end } = sharedScene();
  after(end);
  for (const { name, tries, needsBrowser, run } of attacks)
    test(`${name}: ${tries}`, { skip: needsBrowser ? noBrowser : false }, (t) =>
      run({ size: 'short', held: (what) => t.diagnostic(what), scene }),
    );
});
