import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { debianBinary } from './debian.ts';

/** A machine may be several times slower than the one this was written on. */
const PATIENCE_MS = 60_000;
const CLOSING_MS = 5_000;

/** What no page may say: errors of scripts, refusals of the content policy, files that are not there. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

/** Fails where there is none. The one started to find out is the first that is opened. */
export async function findBrowser(): Promise<void> {
  found = await launch();
}

let found: Browser | undefined;

export async function openBrowser(): Promise<Browser> {
  const first = found;
  found = undefined;
  return first ?? launch();
}

async function launch(): Promise<Browser> {
  const { path, env } = await debianBinary('chromium');
  return chromium.launch({
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
  });
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
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.setDefaultTimeout(PATIENCE_MS);
  return { page, complaints };
}
