import { after, suite, test } from 'node:test';
import { attacks } from '../../../proving/attack/attacks.ts';
import { sharedScene } from '../../../proving/attack/scene.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';

suite('known attacks on pages, in their long form', () => {
  const { open: scene, [Symbol.asyncDispose]: end } = sharedScene();
  after(end);
  for (const { name, tries, run } of attacks.filter(({ needsBrowser }) => needsBrowser))
    test(`${name}: ${tries}`, { skip: noBrowser }, (t) =>
      run({ size: 'long', held: (what) => t.diagnostic(what), scene }),
    );
});
