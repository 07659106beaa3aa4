import type { Page } from 'playwright-core';
import { faults, prepare, tooWide } from './every-page/page-checks.ts';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const MISSED_MS = 20_000;

/** What is wrong with the page as it is now, on a phone and a desktop, in both themes: axe's findings, and scrolling sideways. */
export async function layoutProblems(page: Page, settle = settled): Promise<string[]> {
  const found: string[] = [];
  await prepare(page);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await settle(page, colorScheme);
      const where = `${new URL(page.url()).pathname} at ${viewport.width} px, ${colorScheme}`;
      const here = await faults(page, colorScheme === 'dark' ? 'everything' : 'colours');
      found.push(...[...here, ...(await tooWide(page, viewport.width))].map((fault) => `${where}: ${fault}`));
    }
  }
  return found;
}

/** The theme is switched, and dialogs have opened. */
async function settled(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  const switched = page.locator(`html[data-mantine-color-scheme=${colorScheme}]`);
  // A page that draws nothing for seconds, as on a starved machine, can miss the change: then it is made once more.
  await switched.waitFor({ state: 'attached', timeout: MISSED_MS }).catch(async () => {
    await page.emulateMedia({ colorScheme: null });
    await page.emulateMedia({ colorScheme });
    await switched.waitFor({ state: 'attached' });
  });
  await page.evaluate(`new Promise(requestAnimationFrame).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))`);
}
