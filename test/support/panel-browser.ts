import assert from 'node:assert/strict';
import type { BrowserContext, Page } from 'playwright-core';
import { record } from './app.ts';
import { openBrowser, watchedPage } from './browser.ts';
import { type Run, wayfare } from './cli.ts';
import { testFolder } from './folder.ts';
import { freshDatabase } from './postgres.ts';
import { receiver } from './receiver.ts';
import { ServerProcess } from './server-process.ts';

export const PASSWORD = 'a password of ten and more';

/** On a machine that can neither fetch nor start a browser, the panel's tests are skipped and say why. */
export const noBrowser = await openBrowser()
  .then((browser) => browser.close())
  .then(
    () => false,
    (error: Error) => error.message.split('\n', 1)[0] ?? 'no browser',
  );

export type Receiver = Awaited<ReturnType<typeof receiver>>;

export interface Panel extends AsyncDisposable {
  readonly server: ServerProcess;
  /** A receiver the server may send webhooks to. */
  readonly hook: Receiver;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  readonly databaseUrl: string;
  /** The operator's command line. */
  operator(...words: string[]): Promise<Run>;
}

/** A server on an empty database, and a browser in which its first member has just signed in. */
export async function openPanel(settings: NodeJS.ProcessEnv = {}): Promise<Panel> {
  await using undo = new AsyncDisposableStack();
  const { path: dataDir } = undo.use(await testFolder(0o711));
  const database = await freshDatabase();
  undo.defer(() => database.drop());
  const hook = undo.use(await receiver());
  const env = {
    DATABASE_URL: database.url,
    WAYFARE_SECRET: 'ab'.repeat(32),
    WEBHOOK_TRUSTED_HOSTS: hook.host,
    WAYFARE_DEMO: 'on',
    ...settings,
  };
  const server = undo.use(await ServerProcess.start({ dataDir, env }));
  const browser = undo.use(await openBrowser());
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const { page, complaints } = await watchedPage(context);
  await comeIn(page, await invitationOf(server));
  const opened = undo.move();
  return {
    server,
    hook,
    context,
    page,
    complaints,
    databaseUrl: database.url,
    operator: (...words) => wayfare({ ...env, WAYFARE_DATA: dataDir }, ...words),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
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

async function invitationOf(server: ServerProcess): Promise<string> {
  const link = /http\S+\/welcome#\S+/.exec(await server.banner())?.[0] ?? '';
  assert.notEqual(link, '', 'the first start prints an invitation');
  record('secrets', `${new URL(link).hash.slice(1)}\n`);
  return link;
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
