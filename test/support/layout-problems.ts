import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

const axe = await readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What is wrong with the page as it is now, on a desktop and a phone, in both themes: axe's findings, and scrolling sideways. */
export async function layoutProblems(page: Page, settle = settled): Promise<string[]> {
  const found: string[] = [];
  // Evaluated rather than added as a script, which the content policy would block.
  await page.evaluate(`window.axe || (() => { ${axe} })()`);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await settle(page, colorScheme);
      // Themes differ in colours only.
      const rules = colorScheme === 'dark' ? {} : { runOnly: ['color-contrast'] };
      const options = JSON.stringify({ ...rules, resultTypes: ['violations'] });
      const violations = await page.evaluate<Violation[]>(`axe.run(${options}).then(({ violations }) => violations)`);
      const where = `${new URL(page.url()).pathname} at ${viewport.width} px, ${colorScheme}`;
      found.push(...violations.map((violation) => `${where}: ${described(violation)}`));
    }
    const wide = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (wide > viewport.width) found.push(`${page.url()} is ${wide} px wide on a screen of ${viewport.width} px`);
  }
  return found;
}

/** Colours fade from one theme to the other; half-way they would be too faint. */
async function settled(page: Page, colorScheme: string): Promise<void> {
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
  await page.evaluate(`new Promise(requestAnimationFrame).then(() =>
    Promise.allSettled(document.getAnimations().map(({ finished }) => finished)))`);
}

const described = ({ id, nodes }: Violation): string =>
  `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join('; ')}`;
