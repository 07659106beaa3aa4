import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { debianBinary } from './debian.ts';

/** What no page may say: errors of scripts, refusals of the content policy, files that are not there. */
export interface Watched {
  readonly page: Page;
  readonly complaints: string[];
}

export async function openBrowser(): Promise<Browser> {
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

export async function watchedPage(context: BrowserContext): Promise<Watched> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    complaints.push(`${page.url()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.setDefaultTimeout(15_000);
  return { page, complaints };
}
