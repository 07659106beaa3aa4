import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContext, type BrowserServer, chromium, type Page } from 'playwright-core';
import { debianBinary } from '../debian/debian.ts';
import { PATIENCE_MS } from '../eventually.ts';

const CLOSING_MS = 5_000;

/** Messages that no page may log: script errors, violations of the content policy, missing files. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** Fails if there is no browser. The one opened to find out is the first that is handed out. */
export async function findBrowser(): Promise<void> {
  found = await open();
}

let found: Browser | undefined;

export async function openBrowser(): Promise<Browser> {
  const first = found;
  found = undefined;
  return first ?? open();
}

/** The endpoint of the browser that all files of a run share: starting one takes longer than most tests. */
const shared = process.env.WAYFARE_TEST_BROWSER;
const open = async (): Promise<Browser> =>
  shared === undefined ? chromium.launch(await program()) : chromium.connect(shared);

/** One for a whole run. Undefined if there is none: the tests find out why and report it. */
export const serveBrowser = (): Promise<BrowserServer | undefined> =>
  program()
    .then((options) => chromium.launchServer({ ...options, handleSIGINT: false, handleSIGTERM: false }))
    .catch(() => undefined);

async function program() {
  const { path, env } = await debianBinary('chromium-headless-shell');
  return {
    executablePath: path,
    env: { ...process.env, ...env },
    // A test may run as root, where Chromium has no sandbox; nothing here needs the network or a graphics card.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
    ],
  };
}

/** Draws every change at once. Without a graphics card each frame of a transition is slow, and tests wait for its end. */
const STILL = `{
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { transition: none !important; animation: none !important }');
  document.adoptedStyleSheets = [still];
}`;

export const PHONE = { width: 390, height: 844 };

export async function newWindow(browser: Browser, viewport = { width: 1440, height: 900 }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.addInitScript(STILL);
  return context;
}

/** Chromium sometimes never confirms that a context is closed. We stop waiting; it ends with the browser. */
export const closeWindow = (context: BrowserContext): Promise<void> =>
  Promise.race([context.close(), wait(CLOSING_MS, undefined, { ref: false })]);

export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
  });
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  return { page, complaints };
}
