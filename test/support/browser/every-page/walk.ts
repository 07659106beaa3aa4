import assert from 'node:assert/strict';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { PATIENCE_MS } from '../../eventually.ts';
import { watchedPage } from '../browser.ts';
import { isDrawn, patternsOf, routerOf } from './app-router.ts';
import { faults, nameFaults, overHeader, prepare, smallTargets, tooWide } from './page-checks.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** One page in one state: its address and, if that does not lead there, what to do on it. */
export interface PageState {
  readonly address: string;
  readonly act?: (page: Page) => Promise<unknown>;
  /** What to do once it is shown on a phone. */
  readonly actOnPhone?: (page: Page) => Promise<unknown>;
}

/** A walk through the app in one tab, from page to page without loading it again. */
export interface Walk {
  readonly page: Page;
  /** The pattern of every page of the app. */
  readonly patterns: readonly string[];
  /** The problems found so far. */
  readonly found: string[];
  /** Looks at a page on a desktop and a phone, in both themes; `thoroughly`: with every rule on the desktop, too, as each page once. */
  look(state: PageState, thoroughly?: 'thoroughly'): Promise<void>;
  /** All states of one page: it and each of its tabs in both themes and widths, further states on a phone, where all of it has to fit. */
  visit(states: readonly PageState[]): Promise<void>;
  /** Looks at pages that differ little from those already seen: on a phone only, and at their contents if `axe` says so. */
  glance(state: PageState, axe: 'with axe' | 'without axe'): Promise<void>;
}

export async function startWalk(context: BrowserContext, url: string): Promise<Walk> {
  const { page, complaints: found } = await watchedPage(context);
  const pending = new Set<Request>();
  page.on('request', (request) => pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await prepare(page);
  const router = await routerOf(page);

  /** Nothing is being loaded, and what was loaded is drawn. */
  async function settled(): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let calm = 0; calm < 2; ) {
      const isBusy = await page.evaluate<boolean>(`new Promise(requestAnimationFrame).then(() =>
        !${isDrawn} || document.querySelector('[aria-busy=true]') !== null || document.querySelector('h1') === null)`);
      calm = isBusy || pending.size > 0 ? 0 : calm + 1;
      const waitsFor = [...pending].map((request) => request.url()).join(', ') || 'what it loads';
      assert.ok(Date.now() < deadline, `${page.url()} still waits for ${waitsFor}`);
    }
  }

  async function inTheme(colorScheme: 'dark' | 'light'): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  }

  const note = (address: string, where: string, faulty: readonly string[]) =>
    found.push(...faulty.map((fault) => `${address}${where}: ${fault}`));

  async function go({ address, act }: PageState): Promise<void> {
    await router.evaluate((it, to) => it.navigate(to), address);
    await settled();
    await act?.(page);
    await settled();
    const world = { live: 'Live', sandbox: 'Sandbox' }[address.split(/[/?]/)[1] ?? ''];
    note(address, '', await nameFaults(page, world));
  }

  const sizes = async () => [
    ...(await tooWide(page, PHONE.width)),
    ...(await overHeader(page)),
    ...(await smallTargets(page)),
  ];

  const walk: Walk = {
    page,
    patterns: await patternsOf(router),
    found,
    async look(state, thoroughly) {
      const { address, actOnPhone } = state;
      await page.setViewportSize(DESKTOP);
      await go(state);
      note(address, ' on a desktop, dark', await faults(page, 'colours'));
      note(address, ' on a desktop', await tooWide(page, DESKTOP.width));
      await inTheme('light');
      note(address, ' on a desktop, light', await faults(page, thoroughly ? 'everything' : 'colours'));
      await page.setViewportSize(PHONE);
      await actOnPhone?.(page);
      await settled();
      note(address, ' on a phone, light', await faults(page, 'colours'));
      await inTheme('dark');
      note(address, ' on a phone, dark', await faults(page, 'everything'));
      note(address, ' on a phone', await sizes());
    },
    async glance(state, axe) {
      await page.setViewportSize(PHONE);
      await go(state);
      await state.actOnPhone?.(page);
      await settled();
      note(state.address, ' on a phone', await sizes());
      if (axe === 'without axe') return;
      note(state.address, ' on a phone, dark', await faults(page, 'everything'));
      await inTheme('light');
      note(state.address, ' on a phone, light', await faults(page, 'colours'));
      await inTheme('dark');
    },
    async visit(states) {
      for (const [i, state] of states.entries()) {
        const isTab = state.address.includes('tab=');
        // The other pages are still checked, so that one run finds everything.
        await (i === 0 || isTab
          ? walk.look(state, i === 0 ? 'thoroughly' : undefined)
          : walk.glance(state, 'with axe')
        ).catch((error: Error) => found.push(`${state.address}: ${error.message}`));
      }
    },
  };
  return walk;
}
