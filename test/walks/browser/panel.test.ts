import { test } from 'node:test';
import { noBrowser, openPanel } from '../../support/browser/panel-browser.ts';
import { story } from './panel/story.ts';
import { truth } from './panel/truth.ts';
import { twoPartners } from './panel/two-partners.ts';

// One server and one browser for all of it: starting them takes longer than most steps.
test('the panel in a browser', { skip: noBrowser }, async (t) => {
  await using panel = await openPanel();
  await t.test(
    'a member signs in, creates a key, receives webhooks, advances the clock, resets the sandbox and signs out',
    () => story(panel),
  );
  await t.test('what the panel says is true', (steps) => truth(steps, panel));
  await t.test('a person of two partners joins the second with their password, chooses one and switches', () =>
    twoPartners(panel),
  );
});
