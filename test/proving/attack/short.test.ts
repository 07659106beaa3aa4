import { after, suite, test } from 'node:test';
import { attacks } from '../../../proving/attack/attacks.ts';
import { sharedScene } from '../../../proving/attack/scene.ts';

suite('known attacks, in their short form', () => {
  const { open: scene, [Symbol.asyncDispose]: end } = sharedScene();
  after(end);
  // The others are tried by `long.test.ts`, and in Chromium by `long-in-browser.test.ts`.
  for (const { name, tries, run } of attacks.filter(({ needsBrowser, isLong }) => !needsBrowser && !isLong))
    test(`${name}: ${tries}`, (t) => run({ size: 'short', held: (what) => t.diagnostic(what), scene }));
});
