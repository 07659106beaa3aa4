import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { plain } from '../../../src/platform/contract/json.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { record, type TestApp, testApp } from '../program/app.ts';
import type { Run } from '../program/cli.ts';
import { demoIn } from '../program/demo-app.ts';
import { run } from '../program/operator.ts';
import { freePort } from '../program/ports.ts';
import type { ServerProcess } from '../program/server-process.ts';
import { receiver } from '../servers/receiver.ts';
import { findBrowser, newWindow, openBrowser, watchedPage } from './browser.ts';

export const PASSWORD = 'a password of ten and more';

/** On a machine that can neither fetch nor start a browser, the panel's tests are skipped and say why. */
export const noBrowser = await findBrowser().then(
  () => false,
  (error: Error) => error.message.split('\n', 1)[0] ?? 'no browser',
);

export type Receiver = Awaited<ReturnType<typeof receiver>>;

export interface Panel extends AsyncDisposable {
  readonly server: { readonly urls: ServerProcess['urls'] };
  readonly databaseUrl: string;
  /** A receiver the server may send webhooks to. */
  readonly hook: Receiver;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  /** The operator's command line. */
  operator(...words: string[]): Promise<Run>;
}

/**
 * A server on an empty database, and a browser in which its first member has just signed in. The server and the operator's
 * commands run in the test's own process: starting one for each command would take most of the time.
 */
export async function openPanel(settings: NodeJS.ProcessEnv = {}): Promise<Panel> {
  await using undo = new AsyncDisposableStack();
  const browser = undo.use(await openBrowser());
  const hook = undo.use(await receiver());
  const [sandbox, live, legacy, panel] = (await Promise.all(Array.from({ length: 4 }, freePort))).map(
    (port) => `http://localhost:${port}`,
  );
  const urls = { sandbox: `${sandbox}/v3`, live: `${live}/v3`, legacy: `${legacy}`, panel: `${panel}` };
  // Read as the settings of a server with a database of its own, which the test then gives it.
  const { dataDir, databaseUrl, secret, ...config } = readConfig({
    DATABASE_URL: 'postgres://the.test/database',
    SANDBOX_BASE_URL: urls.sandbox,
    LIVE_BASE_URL: urls.live,
    LEGACY_BASE_URL: urls.legacy,
    PANEL_URL: urls.panel,
    WEBHOOK_TRUSTED_HOSTS: hook.host,
    ...settings,
  });
  const t = undo.use(await testApp({ config: { ...config, listenPorts: undefined }, demo: true }));
  const demo = await demoIn(t);
  const context = await newWindow(browser);
  const { page, complaints } = await watchedPage(context);
  await comeIn(page, demo.link);
  // First of all: the server would wait for its connections.
  undo.defer(() => browser.close());
  const opened = undo.move();
  return {
    server: { urls },
    databaseUrl: t.base.config.databaseUrl ?? '',
    hook,
    context,
    page,
    complaints,
    operator: (...words) => typed(t, words),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** A command as it would be typed, and what it prints as JSON. */
async function typed(t: TestApp, words: readonly string[]): Promise<Run> {
  try {
    const result = await run(
      t.operator(),
      words.filter((word) => word !== '--json'),
    );
    return { code: 0, stdout: '', stderr: '', json: plain(result) };
  } catch (error) {
    return { code: 1, stdout: '', stderr: String(error), json: undefined };
  }
}

/** Creates a sandbox key in the panel; returns a way to call the API with it. */
export async function createKey({ page, server }: Panel) {
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('button', { name: 'New key', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const key = await shownOnce(page, /^esk_test_[0-9a-f]{40}$/);
  const call = (path: string, form?: Record<string, string>) => callApi(server.urls.sandbox + path, key, form);
  return { key, call };
}

/** Reads a secret from its dialog, which neither Escape nor a click outside closes, then closes it. */
export async function shownOnce(page: Page, form: RegExp): Promise<string> {
  const shown = page.getByRole('dialog').locator('pre');
  await shown.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 450);
  const secret = (await shown.textContent()) ?? '';
  assert.match(secret, form);
  record('secrets', `${secret}\n`);
  await page.getByRole('button', { name: 'I’ve saved it' }).click();
  await shown.waitFor({ state: 'detached' });
  return secret;
}

async function comeIn(page: Page, invitation: string): Promise<void> {
  await page.goto(invitation);
  await page.getByText('join Demo Travel').waitFor();
  assert.equal(new URL(page.url()).hash, '', 'the token is no longer in the address bar');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set password and sign in' }).click();
  await page.getByRole('heading', { name: 'Sandbox overview' }).waitFor();
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
async function callApi(address: string, key: string, form?: Record<string, string>): Promise<any> {
  const answer = await fetch(address, {
    headers: { 'x-api-key': key },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return answer.json();
}
