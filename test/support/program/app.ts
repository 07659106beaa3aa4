import { randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { OperatorContext } from '../../../src/actions/action.ts';
import { type App, type Role, startApp } from '../../../src/app.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey, type NewKey } from '../../../src/domains/partners/keys/keys.ts';
import type { Mode } from '../../../src/platform/contract/mode.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type Config, readConfig } from '../../../src/platform/settings/config.ts';
import { type Base, openBase } from '../../../src/worlds/base.ts';
import { TestClock } from '../clock.ts';
import { freshDatabase } from '../database/postgres.ts';
import { PATIENCE_MS } from '../eventually.ts';
import { holdsToContract } from './contract.ts';
import { DEMO_SECRET, demoDatabase } from './demo-database.ts';

const HOSTS = { sandbox: 'sandbox.test', live: 'live.test', legacy: 'legacy.test', panel: 'panel.test' } as const;
type HostName = keyof typeof HOSTS;

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
  body: any;
}

export interface Ask {
  key?: string;
  host?: HostName | { authority: string };
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface TestApp extends AsyncDisposable {
  readonly base: Base;
  readonly clock: TestClock;
  readonly port: number;
  /** Where health is answered, if that has a port of its own. */
  readonly healthPort: number | undefined;
  /** Every line logged so far. */
  readonly logged: string[];
  partner(wanted?: Partial<Parameters<typeof createPartner>[1]>): Promise<number>;
  key(partnerId: number, mode?: Mode, more?: Omit<NewKey, 'partnerId' | 'mode'>): Promise<string>;
  /** The host follows from the key unless given. Paths are relative to the base path. */
  get(path: string, ask?: Ask): Promise<Answer>;
  post(path: string, form: Record<string, string> | string, ask?: Ask): Promise<Answer>;
  ask(rawPath: string, ask: Ask): Promise<Answer>;
  /** What operator commands run with. */
  operator(): OperatorContext;
  /** Makes every job look for work now instead of after its pause. */
  work(...only: string[]): Promise<void>;
  /** A second app on the same database, as another process would be. */
  another(role?: Role): Promise<TestApp>;
}

export interface TestAppOptions {
  config?: Partial<Config>;
  clock?: TestClock;
  /** An existing database instead of a fresh one. */
  url?: string;
  secret?: string;
  role?: Role;
  /** With the partner and the catalog of a first start (`demo-app.ts`). */
  demo?: true;
}

/** The whole program on a free port, against a database of its own. */
export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'wayfare-app-'));
  const clock = options.clock ?? new TestClock();
  const logged: string[] = [];
  const log = createLog('debug', (line) => {
    logged.push(line);
    record('logs', line);
  });
  const secret = options.secret ?? (options.demo ? DEMO_SECRET : randomBytes(32).toString('hex'));
  const config: Omit<Config, 'databaseUrl'> = {
    ...readConfig({
      SANDBOX_BASE_URL: `http://${HOSTS.sandbox}/v3`,
      LIVE_BASE_URL: `http://${HOSTS.live}/v3`,
      LEGACY_BASE_URL: `http://${HOSTS.legacy}`,
      PANEL_URL: `http://${HOSTS.panel}`,
      WEBSITE_URL: 'https://www.wayfare.test/',
    }),
    dataDir,
    secret,
    listenPorts: [0],
    // Half of what a server has: every connection costs a start several milliseconds, and all of them are opened at once.
    pools: { live: 5, sandbox: 5, shared: 5 },
    // On an overloaded machine a request can take long; tests of the limit set a shorter one.
    requestMs: PATIENCE_MS,
    ...options.config,
  };
  const open = (databaseUrl: string) => openBase({ config: { ...config, databaseUrl }, clock, log, as: 'server' });
  const database = options.url
    ? { url: options.url, drop: async () => {} }
    : await (options.demo ? demoDatabase(open) : freshDatabase());
  const base = await open(database.url);
  const app: App = await startApp(base, options.role);
  const port = app.ports[0] ?? 0;
  const agent = new Agent({ connections: 256 });

  const ask = async (rawPath: string, { key, host, method = 'GET', headers = {}, body }: Ask): Promise<Answer> => {
    const name = host ?? (key?.startsWith('esk_test_') ? 'sandbox' : 'live');
    const answer = await request(`http://127.0.0.1:${port}${rawPath}`, {
      dispatcher: agent,
      method: method as 'GET',
      headers: {
        host: typeof name === 'string' ? HOSTS[name] : name.authority,
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json') && text !== '';
    const parsed = isJson ? JSON.parse(text) : undefined;
    if (parsed?.api_version === 3 && typeof name === 'string') {
      const below = name === 'legacy' ? rawPath : rawPath.replace(/^(\/api\/(live|sandbox))?\/v3/, '');
      // Endpoints that the panel does not offer are not found for a member; no endpoint declares that.
      if (name !== 'panel' || parsed.error !== 'unknown_method')
        holdsToContract(below.split('?')[0] ?? '', answer.statusCode, parsed);
      if (parsed.error && !parsed.sandbox_simulated) record('codes', `${parsed.error}\n`);
    }
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
  };
  const prefix = (given: Ask) => (given.host === 'legacy' || given.host === 'panel' ? '' : '/v3');

  return {
    base,
    clock,
    port,
    healthPort: app.healthPort,
    logged,
    ask,
    partner: (wanted = {}) =>
      base.db.tx((tx) =>
        createPartner(
          tx,
          { name: 'Test', email: 'test@example.com', billing: 'prepaid', ...wanted },
          new Date(clock.now()),
        ),
      ),
    async key(partnerId, mode = 'live', more = {}) {
      const { key } = await base.db.tx((tx) => createKey(tx, { partnerId, mode, ...more }));
      record('secrets', `${key}\n`);
      return key;
    },
    get: (path, given = {}) => ask(prefix(given) + path, given),
    post: (path, form, given = {}) =>
      ask(prefix(given) + path, {
        method: 'POST',
        body: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
        ...given,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...given.headers },
      }),
    operator: () => ({ ...base, who: 'test', confinedTo: undefined, progress() {} }),
    work: app.work,
    another: (role) => testApp({ ...options, ...(role && { role }), clock, url: database.url, secret }),
    async [Symbol.asyncDispose]() {
      await agent.close();
      await app[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Recorded for the checks at the end of the run: no issued secret was ever logged, and every error code was caused by a test. */
export function record(kind: 'logs' | 'secrets' | 'codes', text: string): void {
  const folder = process.env.WAYFARE_TEST_RECORD;
  if (folder) appendFileSync(join(folder, `${kind}-${process.pid}`), text);
}
