import { writeFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { TestClock } from '../clock.ts';
import type { TestApp } from '../program/app.ts';
import type { PanelStage } from '../program/panel-stage.ts';

/** The addresses a newcomer sees: those of a server on its default ports. */
export const addresses = {
  sandboxBaseUrl: new URL('http://localhost:4010/v3'),
  liveBaseUrl: new URL('http://localhost:4020/v3'),
  legacyBaseUrl: new URL('http://localhost:4030'),
};

export type Take = (
  name: string,
  path: string,
  options: BrowserContextOptions,
  ready: (page: Page) => Promise<unknown>,
  html?: string,
) => Promise<void>;

/** Takes a picture of a page for the documents, once it is `ready`. */
export function camera({ url, browser }: PanelStage, clock: TestClock): Take {
  return async (name, path, options, ready, html) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'UTC', ...options });
    await context.clock.setFixedTime(clock.now());
    const page = await context.newPage();
    if (html !== undefined)
      await page.route(url + path, (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }));
    await page.goto(url + path);
    await ready(page);
    // Except endless animations.
    await page.evaluate(`Promise.allSettled(document.getAnimations().flatMap((it) =>
      it.effect.getComputedTiming().endTime === Infinity || it.playState === 'paused' ? [] : it.finished))`);
    await writeFile(new URL(`../../../docs/img/${name}.png`, import.meta.url), await page.screenshot());
    await context.close();
    console.log(`docs/img/${name}.png`);
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
export async function ask(t: TestApp, key: string, path: string, form?: Record<string, string>): Promise<any> {
  const host = key.startsWith('esk_test_') ? addresses.sandboxBaseUrl.host : addresses.liveBaseUrl.host;
  const where = { key, host: { authority: host } };
  const { status, body } = form ? await t.post(path, form, where) : await t.get(path, where);
  if (status !== 200 && status !== 202) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** A browser in which somebody is signed in and has used the panel. */
export function browserOf(url: string, sent: string): NonNullable<BrowserContextOptions['storageState']> {
  const [name = '', value = ''] = sent.split('=');
  const sameSite = 'Strict' as const;
  return {
    cookies: [{ name, value, domain: 'localhost', path: '/', expires: -1, httpOnly: true, secure: false, sameSite }],
    origins: [{ origin: url, localStorage: [{ name: 'wayfare-mode', value: 'sandbox' }] }],
  };
}

/** Random values are replaced by these, so that the same pages make the same pictures. */
const KEY = 'esk_test_7c1f0a5be2d94683b0e6a91d5f3c8e7204ab61d9';

export const withFixedKey = (page: Page): Promise<unknown> =>
  page.evaluate(`for (const pre of document.querySelectorAll('pre, pre code'))
    if (!pre.firstElementChild) pre.textContent = pre.textContent.replace(/esk_test_[0-9a-f]{40}/g, '${KEY}')`);

export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
}
