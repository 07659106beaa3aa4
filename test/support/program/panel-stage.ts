import type { Browser, BrowserContext } from 'playwright-core';
import type { OperatorRole, Role } from '../../../src/domains/partners/people/people.ts';
import { closeWindow, newWindow, openBrowser } from '../browser/browser.ts';
import { type Receiver, receiver } from '../servers/receiver.ts';
import { type SmtpServer, smtpServer } from '../servers/smtp.ts';
import { type TestApp, type TestAppOptions, testApp } from './app.ts';
import { signedInOperator } from './console.ts';
import { type DemoApp, demoIn } from './demo-app.ts';
import { signedInAs } from './panel.ts';
import { freePort } from './ports.ts';

/** The program inside the test's own process, where a browser can reach its panel, and a browser. */
export interface Stage extends AsyncDisposable {
  readonly t: TestApp;
  readonly url: string;
  readonly hook: Receiver;
  /** Where its mail goes. */
  readonly smtp: SmtpServer;
  readonly browser: Browser;
  /** A browser window of a new member, signed in. */
  enter(partnerId: number, role?: Role, email?: string): Promise<BrowserContext>;
  /** A browser window of a new operator, signed in to the console. */
  operate(role: OperatorRole): Promise<BrowserContext>;
}

/** With the partner and the catalog of a first start. */
export interface PanelStage extends Stage, DemoApp {}

/** Nothing is in the database. `shared` is a browser that is open already. */
export async function emptyStage(options: TestAppOptions = {}, shared?: Browser): Promise<Stage> {
  await using undo = new AsyncDisposableStack();
  const browser = shared ?? undo.use(await openBrowser());
  const hook = undo.use(await receiver());
  const smtp = undo.use(await smtpServer());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const config = {
    panelUrl: new URL(url),
    listenPorts: [port],
    webhookTrustedHosts: [hook.host],
    cardPayments: 'simulated' as const,
    mail: smtp.settings,
    ...options.config,
  };
  const t = undo.use(await testApp({ ...options, config }));
  const contexts: BrowserContext[] = [];
  // First of all: the server would wait for their connections.
  undo.defer(async () => {
    await Promise.all(contexts.map(closeWindow));
    if (!shared) await browser.close();
  });
  const opened = undo.move();
  const open = async (cookie: string): Promise<BrowserContext> => {
    const context = await newWindow(browser);
    contexts.push(context);
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
    return context;
  };
  return {
    t,
    url,
    hook,
    smtp,
    browser,
    enter: async (partnerId, role = 'owner', email) => open((await signedInAs(t, partnerId, role, email)).cookie),
    operate: async (role) => open((await signedInOperator(t, role)).cookie),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

export async function panelStage(options: TestAppOptions = {}): Promise<PanelStage> {
  await using undo = new AsyncDisposableStack();
  const stage = undo.use(await emptyStage({ ...options, demo: true }));
  const demo = await demoIn(stage.t);
  undo.move();
  return { ...stage, demo };
}
