import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';
import { systemClock } from '../../src/platform/clock.ts';
import { Refused } from '../../src/platform/contract/refused.ts';
import { type EmbeddedPostgres, startPostgres } from '../../src/platform/db/embedded/embedded.ts';
import { bounded } from '../../src/platform/limits/turns.ts';
import { createLog } from '../../src/platform/log.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { type Base, openBase } from '../../src/worlds/base.ts';
import { scratchFolder, testFolder } from '../../test/support/database/folder.ts';
import { run } from '../../test/support/program/operator.ts';
import { ServerProcess } from '../../test/support/program/server-process.ts';
import { type Receiver, receiver } from '../../test/support/servers/receiver.ts';
import { simulatedService } from '../../test/support/suppliers/simulated-service.ts';
import { type Operator, signedIn } from './console.ts';
import type { WorldName } from './model.ts';
import { Secrets } from './secrets.ts';
import { requireThat } from './violation.ts';

export interface Answer {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the contract says is there.
  readonly body: any;
  /** It took nearly as long as a request may: what was begun is answered as it was when the time was up. */
  readonly isSlow: boolean;
}

const SLOW_MS = 10_000;

/** The outcome of an operator's command; unknown: the database went down while it ran. */
export type CommandOutcome =
  // biome-ignore lint/suspicious/noExplicitAny: whatever the command answers.
  | { readonly outcome: 'done'; readonly result: any }
  | { readonly outcome: 'refused'; readonly code: string }
  | { readonly outcome: 'unknown' };

const RECEIVERS_EACH = 6;
const ANSWER_MS = 40_000;
/** Operators at work at the same time: fewer than the connections they share, or some would find none free. */
const OPERATORS = 4;

/** The installation under test: a real server process, a PostgreSQL that can be stopped under it, and webhook receivers. */
export class Site implements AsyncDisposable {
  readonly receivers: readonly Receiver[];
  readonly postgres: EmbeddedPostgres;
  /** Everything that must never be logged. */
  readonly secrets = new Secrets();
  server!: ServerProcess;
  /** The request that was last left without an answer, and why. */
  lastLoss = '';
  readonly #undo: AsyncDisposableStack;
  readonly base: Base;
  readonly #launch: () => Promise<ServerProcess>;
  readonly #inTurn = bounded({ atOnce: OPERATORS, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error());
  readonly #agent = new Agent({ connections: 64, headersTimeout: ANSWER_MS, bodyTimeout: ANSWER_MS });

  private constructor(made: {
    undo: AsyncDisposableStack;
    postgres: EmbeddedPostgres;
    base: Base;
    receivers: readonly Receiver[];
    launch: () => Promise<ServerProcess>;
  }) {
    this.#undo = made.undo;
    this.postgres = made.postgres;
    this.base = made.base;
    this.receivers = made.receivers;
    this.#launch = made.launch;
  }

  /** `onOutput` gets what the server prints after its banner, which is then not stored. */
  static async open(
    crowd: number,
    {
      more = {},
      settings = [],
      onOutput,
      inMemory = false,
    }: {
      more?: NodeJS.ProcessEnv;
      /** Of its PostgreSQL. */
      settings?: readonly string[];
      onOutput?: (text: string) => void;
      /** Its files. What a crash of PostgreSQL loses is the same on a disk: nothing that it has handed to the system. */
      inMemory?: boolean;
    } = {},
  ): Promise<Site> {
    await using undo = new AsyncDisposableStack();
    const folder = undo.use(await testFolder(0o711, inMemory ? scratchFolder : undefined));
    const postgres = await startPostgres(folder.path, createLog('silent'), settings);
    undo.defer(() => postgres.stop());
    const receivers: Receiver[] = [];
    for (let i = 0; i < crowd * RECEIVERS_EACH; i++) receivers.push(undo.use(await receiver()));
    const supplier = undo.use(await simulatedService(postgres.url));
    const env = {
      DATABASE_URL: postgres.url,
      SIMULATED_SUPPLIER_URL: supplier.url,
      WAYFARE_SECRET: randomBytes(32).toString('hex'),
      CARD_PAYMENTS: 'simulated',
      WAYFARE_DEMO: 'on',
      PROVISION_BUDGET_SECONDS: '1',
      WEBHOOK_TRUSTED_HOSTS: receivers.map(({ host }) => host).join(','),
      ...more,
    };
    const launch = () => ServerProcess.start({ dataDir: folder.path, env, ...(onOutput && { onOutput }) });
    const server = await launch();
    const config = readConfig({ ...env, WAYFARE_DATA: folder.path });
    const base = undo.use(await openBase({ config, clock: systemClock, log: createLog('silent'), as: 'guest' }));
    const site = new Site({ undo: undo.move(), postgres, base, receivers, launch });
    site.server = server;
    return site;
  }

  /** Undefined: the connection was lost, so the outcome is unknown. */
  async call(
    world: WorldName,
    key: string,
    path: string,
    form?: Readonly<Record<string, string>> | string,
  ): Promise<Answer | undefined> {
    const began = Date.now();
    try {
      const answer = await request(this.server.urls[world] + path, {
        dispatcher: this.#agent,
        method: form === undefined ? 'GET' : 'POST',
        headers: {
          'x-api-key': key,
          ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form !== undefined && { body: typeof form === 'string' ? form : new URLSearchParams(form).toString() }),
      });
      const text = await answer.body.text();
      return { status: answer.statusCode, text, body: JSON.parse(text), isSlow: Date.now() - began > SLOW_MS };
    } catch (error) {
      this.lastLoss = `${world} ${path}: ${(error as NodeJS.ErrnoException).code ?? ''} ${error} after ${Date.now() - began} ms`;
      return undefined;
    }
  }

  /** A page of the live host as a traveller's browser opens it or sends its form. Nothing is followed. */
  async page(path: string, form?: Readonly<Record<string, string>>): Promise<Answer | undefined> {
    try {
      const answer = await request(this.server.urls.panel + path, {
        dispatcher: this.#agent,
        method: form ? 'POST' : 'GET',
        ...(form && {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(form).toString(),
        }),
      });
      return { status: answer.statusCode, text: await answer.body.text(), body: {}, isSlow: false };
    } catch (error) {
      this.lastLoss = `${path}: ${error}`;
      return undefined;
    }
  }

  /** One operator command as it would be typed, run in this process on the same database. */
  async operator(...words: string[]): Promise<CommandOutcome> {
    try {
      const context = { ...this.base, who: 'chaos', confinedTo: undefined, progress() {} };
      const result = await this.#inTurn(() => run(context, words));
      for (const secret of [result?.key, result?.secret]) if (secret) this.secrets.add(secret);
      return { outcome: 'done', result };
    } catch (error) {
      if (error instanceof Refused) return { outcome: 'refused', code: error.code };
      this.lastLoss = `${words.join(' ')}: ${error}`;
      return { outcome: 'unknown' };
    }
  }

  /** An operator signed in to the console; undefined: the database is down. */
  async console(): Promise<Operator | undefined> {
    return this.#inTurn(() => signedIn(this.base, () => this.server.urls.panel)).catch(() => undefined);
  }

  /** All queries see the same snapshot. */
  async snapshot<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    client.on('error', () => {});
    await client.connect();
    try {
      await client.query('begin isolation level repeatable read');
      const found = await work(client);
      await client.query('commit');
      return found;
    } finally {
      await client.end();
    }
  }

  /** Changes when something is due, beside a running server. Done again a little later, so one that gets in its way may fail. */
  async nudge(text: string, values: readonly unknown[]): Promise<void> {
    const client = new pg.Client({ connectionString: this.postgres.url });
    client.on('error', () => {});
    await client.connect();
    await client.query(text, [...values]).catch((error) => requireThat(error.code === '40P01', text, error.message));
    await client.end();
  }

  async kill(): Promise<void> {
    await this.server.end('SIGKILL');
    this.requireNoSecretLogged();
  }

  async restart(): Promise<void> {
    this.server = await this.#launch();
  }

  /** The last lines the server printed, and whether it is still running. */
  get lastWords(): unknown {
    const { stdout, stderr, child } = this.server;
    return { exit: child.exitCode ?? child.signalCode, said: (stdout + stderr).slice(-3_000).split('\n') };
  }

  requireNoSecretLogged(): void {
    // The banner shows keys on purpose; what is logged is JSON.
    const logged = this.server.stdout.replace(/^[^{].*$/gm, '') + this.server.stderr;
    const at = this.secrets.findIn(logged);
    requireThat(at === undefined, 'a secret was logged', logged.slice(Math.max(0, (at ?? 0) - 200), at));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
    await this.server.end('SIGKILL');
    await this.#undo.disposeAsync();
  }
}
