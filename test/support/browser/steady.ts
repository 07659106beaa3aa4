import type { BrowserContext, Page } from 'playwright-core';

/** So that placeholders are seen, and answers arrive in an order that is the same in every run. */
const SLOW_MS = 100;
const ORDERS = 5;
/** Frames in which nothing is asked or awaited: then the page is there. */
const CALM = 20;
/** Most of the time is waiting. */
const TABS = 4;
/** A page waits a second for its other answers once the first is there, and these are within 0.4 s of it unless the machine is busy. */
const LATE_MS = 900;
/** How often a page is opened that moved while its answers were late. */
const MOST_VISITS = 4;
/** The sum up to which the measure's authors call a page good. */
export const MOST_SHIFT = 0.1;

/** Delays answers, and notes by how much what is shown moves, also after a click, and what it was. */
const WATCHED = `{
  const ask = window.fetch;
  window.asked = 0;
  let first;
  window.answeredFor = 0;
  window.fetch = async (to, ...rest) => {
    const order = [...new URL(to, location.href).pathname].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % ${ORDERS};
    window.asked++;
    try {
      await new Promise((done) => setTimeout(done, ${SLOW_MS} * (1 + order)));
      return await ask(to, ...rest);
    } finally {
      window.asked--;
      first ??= performance.now();
      window.answeredFor = performance.now() - first;
    }
  };
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries())
      window.shifts.push({ value, of: sources.map(({ node, previousRect, currentRect }) =>
        (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100) + ' from ' + previousRect.y + ' to ' + currentRect.y) });
  }).observe({ type: 'layout-shift', buffered: true });
}`;

const UNTIL_CALM = `new Promise((done) => {
  let calm = 0;
  const look = () => {
    const isBusy = window.asked > 0 || document.querySelector('[aria-busy=true]') || !document.querySelector('h1');
    calm = isBusy ? 0 : calm + 1;
    calm > ${CALM} ? done() : requestAnimationFrame(look);
  };
  look();
})`;

export interface Moved {
  /** Of what the browser counts for "cumulative layout shift". */
  readonly sum: number;
  readonly what: string;
}

export async function slowed(context: BrowserContext, size?: { width: number; height: number }): Promise<Page> {
  const page = await context.newPage();
  if (size) await page.setViewportSize(size);
  await page.addInitScript(WATCHED);
  return page;
}

/** How much what is shown has moved since this was asked last, once nothing is loading any more. */
export async function moved(page: Page): Promise<Moved> {
  await page.evaluate(UNTIL_CALM);
  const shifts = await page.evaluate<{ value: number; of: string[] }[]>('window.shifts.splice(0)');
  return {
    sum: shifts.reduce((all, { value }) => all + value, 0),
    what: shifts.flatMap(({ value, of }) => [`${value.toFixed(4)}:`, ...of]).join('\n'),
  };
}

/** How much each of these pages moves while it loads. What a busy machine answers too late is not the page's fault, so that is looked at again. */
export async function movedBy(
  context: BrowserContext,
  addresses: readonly string[],
  size: { width: number; height: number },
): Promise<ReadonlyMap<string, Moved>> {
  const found = new Map<string, Moved>();
  const open = [...addresses];
  const visit = async () => {
    const tab = await slowed(context, size);
    for (let next = open.shift(); next !== undefined; next = open.shift())
      for (let visits = 0, isLate = true; isLate && visits < MOST_VISITS; visits++) {
        await tab.goto(next);
        const shift = await moved(tab);
        found.set(next, shift);
        isLate = shift.sum > MOST_SHIFT && (await tab.evaluate<number>('window.answeredFor')) > LATE_MS;
      }
    await tab.close();
  };
  await Promise.all(Array.from({ length: TABS }, visit));
  return found;
}
