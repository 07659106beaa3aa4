import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { eventually } from '../../eventually.ts';
import { panelStage } from '../../program/panel-stage.ts';
import { invoicing } from '../../sales/invoices.ts';
import { faults, operators, smallTargets, tooWide } from './page-checks.ts';
import { doors, panelStates } from './panel-states.ts';
import { richAccount } from './rich-account.ts';
import { startWalk } from './walk.ts';

/**
 * Half of the pages, with an account that has data of every kind. Two files walk one half each: on a busy machine one file
 * with all pages takes longer than a test may.
 */
export async function everyPage(t: TestContext, half: 0 | 1): Promise<void> {
  await using stage = await panelStage({ config: { invoicing, site: operators } });
  const { url } = stage;
  const rich = await richAccount(stage);
  const walk = await startWalk(await stage.enter(rich.partnerId), `${url}/sandbox`);
  const ofMembers = panelStates(
    walk.patterns.filter((pattern) => !(pattern in doors(''))),
    rich,
  );

  await t.test('every route of the app has an address to look at', () => {
    const missing = Object.entries(ofMembers).flatMap(([pattern, states]) => (states ? [] : [pattern]));
    assert.deepEqual(missing, [], 'add it to test/support/browser/every-page/panel-states.ts');
    assert.ok(walk.patterns.length > 15);
  });

  await t.test('a faint text, a nameless button, a small target and a page that is too wide are found', async () => {
    const { page } = walk;
    await page.evaluate(`(() => {
      const bad = document.querySelector('main').appendChild(document.createElement('div'));
      bad.id = 'bad';
      bad.style.cssText = 'width: 3000px; color: #333; background: #222';
      bad.textContent = 'faint';
      bad.appendChild(document.createElement('button')).style.cssText = 'width: 20px; height: 20px';
    })()`);
    const found = [
      ...(await faults(page, 'everything')),
      ...(await tooWide(page, 1440)),
      ...(await smallTargets(page)),
    ];
    await page.evaluate(`document.getElementById('bad').remove()`);
    for (const fault of [/^color-contrast: .*faint/, /^button-name: /, /only 20 × 20 px/, /^3\d{3} px wide/])
      assert.ok(
        found.some((text) => fault.test(text)),
        `${fault} is not among ${found.join(', ')}`,
      );
  });

  await t.test('an account with data of every kind', async () => {
    for (const states of Object.values(ofMembers).filter((_, i) => i % 2 === half)) await walk.visit(states ?? []);
    assert.deepEqual(walk.found.filter(isNotRefusal), []);
  });

  await t.test('mails are in the operator’s name, or in the partner’s', async () => {
    const { received } = stage.smtp;
    await eventually('mails are sent', async () => received.length > 0);
    const ours = received.filter(({ headers, text, html }) => /\bWayfare\b/.test(`${headers.subject} ${text} ${html}`));
    assert.deepEqual(
      ours.map(({ text }) => text),
      [],
    );
  });
}

/** The browser itself logs every answer that says an order does not exist. */
const isNotRefusal = (complaint: string): boolean => !/404 \(Not Found\)/.test(complaint);
