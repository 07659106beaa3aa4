import { after, suite, test } from 'node:test';
import { noBrowser } from '../support/panel-browser.ts';
import { attacks } from './attacks.ts';
import { sharedScene } from './scene.ts';

suite('attacks that were found or thought of, on pages, in their long form', () => {
  const { open: scene, [Symbol.asyncDispose]: end } = sharedScene();
  after(end);
  for (const { name, tries, run } of attacks.filter(({ needsBrowser }) => needsBrowser))
    test(`${name}: ${tries}`, { skip: noBrowser }, (t) =>
      run({ size: 'long', held: (what) => t.diagnostic(what), scene }),
    );
});
