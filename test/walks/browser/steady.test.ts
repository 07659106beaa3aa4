import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newWindow, PHONE } from '../../support/browser/browser.ts';
import { patternsOf, routerOf } from '../../support/browser/every-page/app-router.ts';
import { consoleDoors, consoleStates } from '../../support/browser/every-page/console-states.ts';
import { doors, panelStates } from '../../support/browser/every-page/panel-states.ts';
import { brokenSupplier, richInstallation } from '../../support/browser/every-page/rich-installation.ts';
import type { PageState } from '../../support/browser/every-page/walk.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { MOST_SHIFT, moved, movedBy, slowed } from '../../support/browser/steady.ts';
import { run } from '../../support/program/operator.ts';
import { panelStage } from '../../support/program/panel-stage.ts';

const DESKTOP = { width: 1440, height: 900 };

type States = Readonly<Record<string, readonly PageState[] | undefined>>;

/** What an address alone leads to. */
const addressesOf = (states: States): string[] => [
  ...new Set(
    Object.values(states).flatMap((of) =>
      (of ?? []).flatMap(({ address, act, actOnPhone }) => (act || actOnPhone ? [] : [address])),
    ),
  ),
];

test('while a page loads, what is there already stays about where it is', { skip: noBrowser }, async (t) => {
  await using stage = await panelStage({ config: await brokenSupplier() });
  const { url } = stage;
  const rich = await richInstallation(stage);
  // Its band is above every page of the sandbox.
  await run(stage.t.operator(), `sandbox clock advance --partner ${rich.partnerId} --by 1d`);
  const member = await stage.enter(rich.partnerId);
  const operator = await stage.operate('admin');

  /** The pages of an application, without those of its doors. */
  async function pagesOf(context: typeof member, home: string, without: States): Promise<string[]> {
    const page = await slowed(context);
    await page.goto(url + home);
    await moved(page);
    const patterns = await patternsOf(await routerOf(page));
    await page.close();
    return patterns.filter((pattern) => !(pattern in without));
  }

  const all = [
    {
      whose: 'a member',
      context: member,
      addresses: addressesOf(panelStates(await pagesOf(member, '/sandbox', doors('')), rich)),
      atLeast: 60,
    },
    {
      whose: 'an operator',
      context: operator,
      addresses: addressesOf(consoleStates(await pagesOf(operator, '/operator', consoleDoors('')), rich)),
      atLeast: 50,
    },
    {
      whose: 'a stranger',
      context: await newWindow(stage.browser),
      addresses: addressesOf({ ...doors('/welcome#unknown'), ...consoleDoors('unknown') }),
      atLeast: 8,
    },
  ];
  for (const { whose, context, addresses, atLeast } of all)
    for (const [screen, size] of [
      ['desktop', DESKTOP],
      ['phone', PHONE],
    ] as const)
      await t.test(`every page of ${whose} on a ${screen}`, async (own) => {
        assert.ok(addresses.length >= atLeast, `only ${addresses.length} pages`);
        const found = await movedBy(
          context,
          addresses.map((address) => url + address),
          size,
        );
        const [[most, { sum }] = ['nothing', { sum: 0 }]] = [...found].sort(([, a], [, b]) => b.sum - a.sum);
        own.diagnostic(`moved by at most ${sum.toFixed(3)}: ${most.slice(url.length)}`);
        assert.deepEqual(
          [...found].flatMap(([address, { sum, what }]) =>
            sum > MOST_SHIFT ? [`${address}: ${sum.toFixed(3)}\n${what}`] : [],
          ),
          [],
        );
      });

  await t.test('from page to page by the navigation, and a page seen before is there at once', async () => {
    const page = await slowed(member);
    const go = (name: string) =>
      page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click();
    await page.goto(`${url}/sandbox`);
    await moved(page);
    for (const name of ['Orders', 'eSIMs', 'Catalog', 'Settings', 'Overview']) {
      await go(name);
      const { sum, what } = await moved(page);
      assert.ok(sum <= MOST_SHIFT, `${name}: ${sum.toFixed(3)}\n${what}`);
    }
    await page.evaluate(`{
      window.waited = 0;
      new MutationObserver(() => { window.waited += document.querySelectorAll('main [aria-busy=true]').length; })
        .observe(document.body, { childList: true, subtree: true, attributes: true });
    }`);
    await go('Orders');
    await page.getByRole('heading', { name: 'All orders' }).waitFor();
    await moved(page);
    assert.equal(await page.evaluate('window.waited'), 0, 'what it showed before was hidden');
    await go('Invoices');
    await moved(page);
    assert.notEqual(await page.evaluate('window.waited'), 0);
  });

  await t.test('an answer that never comes keeps the others back for a moment only', async () => {
    const page = await member.newPage();
    await page.route(/\/api\/sandbox\/(notices|clock)$/, () => {});
    await page.goto(`${url}/sandbox/orders`);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor();
    await page.getByRole('table', { name: 'Orders' }).waitFor();
    await page.route('**/api/**', () => {});
    await page.getByRole('link', { name: 'Request log', exact: true }).click();
    await page.getByRole('heading', { name: 'Request log', level: 1 }).waitFor();
    await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor();
    await page.close();
  });
});
