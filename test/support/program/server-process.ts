import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { record } from './app.ts';
import { freePort } from './ports.ts';

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

export interface ServerOptions {
  readonly dataDir: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Another user than the one that runs the tests. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly checkout?: string;
  /** Gets what it prints after its banner, which is then not kept: a long run prints more than fits into memory. */
  readonly onOutput?: (text: string) => void;
}

/** The program as an operator starts it: a process of its own, on ports of its own. */
export class ServerProcess {
  readonly child: ChildProcess;
  readonly urls: { readonly sandbox: string; readonly live: string; readonly legacy: string; readonly panel: string };
  readonly #exited: Promise<number | string>;
  readonly #onOutput: ((text: string) => void) | undefined;
  #isServing = false;
  #stdout = '';
  #stderr = '';

  private constructor({ dataDir, env, user, checkout = CHECKOUT, onOutput }: ServerOptions, ports: readonly number[]) {
    const [sandbox, live, legacy, panel] = ports.map((port) => `http://localhost:${port}`);
    this.urls = { sandbox: `${sandbox}/v3`, live: `${live}/v3`, legacy: `${legacy}`, panel: `${panel}` };
    // Node comes with the packages: a user who cannot read this checkout has it in the other.
    const node = process.execPath.replace(CHECKOUT, checkout.replace(/\/?$/, '/'));
    this.child = spawn(node, ['src/main.ts', 'start'], {
      cwd: checkout,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        // As `npm start` does; another user has no right to these files.
        NODE_COMPILE_CACHE: user ? undefined : process.env.NODE_COMPILE_CACHE,
        WAYFARE_DATA: dataDir,
        SANDBOX_BASE_URL: this.urls.sandbox,
        LIVE_BASE_URL: this.urls.live,
        LEGACY_BASE_URL: this.urls.legacy,
        PANEL_URL: this.urls.panel,
        DRAIN_SECONDS: '0',
        ...env,
      },
      ...user,
    });
    this.#onOutput = onOutput;
    this.child.stdout?.on('data', (chunk) => {
      if (this.#onOutput && this.#isServing) this.#onOutput(String(chunk));
      else this.#stdout += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.#stderr += chunk;
    });
    this.#exited = once(this.child, 'close').then(([code, signal]) => code ?? signal);
  }

  static async launch(options: ServerOptions): Promise<ServerProcess> {
    return new ServerProcess(options, await Promise.all(Array.from({ length: 4 }, freePort)));
  }

  /** Launched, and ready to be called. */
  static async start(options: ServerOptions): Promise<ServerProcess> {
    const server = await ServerProcess.launch(options);
    await server.banner();
    return server;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** What it prints once it serves. */
  async banner(): Promise<string> {
    for (;;) {
      const shown = /Wayfare is serving\n(?:.*\n)*? *(?:curl|New key:) .*\n/.exec(this.#stdout)?.[0];
      if (shown) {
        this.#isServing = true;
        for (const secret of shown.match(/(esk|wfl)_[\w-]+/g) ?? []) record('secrets', `${secret}\n`);
        return shown;
      }
      const ended = await Promise.race([this.#exited, once(this.child.stdout ?? this.child, 'data')]);
      if (!Array.isArray(ended)) throw new Error(`the server ended with ${ended}: ${this.#stderr}${this.#stdout}`);
    }
  }

  /** Its exit code, or the name of the signal that ended it. */
  get exited(): Promise<number | string> {
    return this.#exited;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.child.kill(signal);
    const ended = await this.#exited;
    // The banner shows keys on purpose; nothing else may.
    record('logs', this.#stdout.replace(/^[^{].*$/gm, ''));
    return ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) await this.end();
  }
}
