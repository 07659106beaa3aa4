import { setTimeout as wait } from 'node:timers/promises';
import { type Clock, SECOND, systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { Refused, Relayed } from '../contract/refused.ts';
import { undici } from '../http/undici.ts';
import { claimedMode } from '../keys/keys.ts';
import type { Command, Options, Values } from './command.ts';
import { required, text } from './options.ts';

/** What client commands run with: the API's address and a terminal, but no database and no operator rights. */
export interface Client extends AsyncDisposable {
  readonly sandboxUrl: URL;
  readonly panelUrl: URL;
  /** Used when the command line gives no key. */
  readonly key: string | undefined;
  readonly clock: Clock;
  write(text: string): void;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}

type ClientCommand<A extends Options, O extends Options> = Omit<Command<A, O>, 'run'> & {
  run(client: Client, input: Values<A> & Values<O>): Promise<unknown>;
};

export function clientCommand<A extends Options = Record<never, never>, O extends Options = Record<never, never>>(
  declared: ClientCommand<A, O>,
): Command {
  return declared as unknown as Command;
}

/** With `--json` stdout carries one document only, so messages go to stderr. */
export function openClient(json: boolean): Client {
  const stop = new AbortController();
  const end = () => stop.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  const out = json ? process.stderr : process.stdout;
  const { sandboxBaseUrl: sandboxUrl, panelUrl, clientKey: key } = readConfig();
  return {
    sandboxUrl,
    panelUrl,
    key,
    clock: systemClock,
    write: (line) => out.write(line),
    stop: stop.signal,
    async [Symbol.asyncDispose]() {
      process.off('SIGINT', end).off('SIGTERM', end);
    },
  };
}

/** The options every client command shares. */
export const apiOptions = {
  key: text('esk_test_…', 'a sandbox key; WAYFARE_KEY by default'),
  url: text('SANDBOX_BASE_URL', 'address of the sandbox API'),
};

/** The API cannot be reached: the one refusal worth a retry. */
export const API_AWAY = 'api_away';

export interface Api {
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what is there.
  get(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: the contract says what is there.
  post(path: string, form: Readonly<Record<string, string>>): Promise<any>;
}

/** The v3 API with a sandbox key. Errors become `Relayed` with their code; when rate limited it waits for `retry_after` and retries. */
export function openApi(client: Client, given: { key: string | undefined; url: string | undefined }): Api {
  const key = required(apiOptions.key).read(given.key ?? client.key);
  if (claimedMode(key) !== 'sandbox')
    throw new Refused('sandbox_key_needed', 'this command needs a sandbox key (esk_test_…)');
  const base = (given.url ?? client.sandboxUrl.href).replace(/\/$/, '');

  async function send(path: string, form: Readonly<Record<string, string>> | undefined) {
    const answer = await undici().request(`${base}${path}`, {
      method: form ? 'POST' : 'GET',
      headers: { 'x-api-key': key, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) },
      signal: client.stop,
      ...(form && { body: new URLSearchParams(form).toString() }),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, body: parsed(text) };
  }

  async function ask(path: string, form?: Readonly<Record<string, string>>): Promise<unknown> {
    for (;;) {
      const { status, body } = await send(path, form).catch((error: Error) => {
        throw new Refused(API_AWAY, `${base} cannot be reached: ${error.message}`);
      });
      if (!body) throw new Refused('not_the_api', `${base} is not a Wayfare API`);
      if (status < 400) return body;
      if (body.error !== 'rate_limited') throw new Relayed(body.error ?? `http_${status}`);
      await wait((body.retry_after ?? 1) * SECOND, undefined, { signal: client.stop });
    }
  }

  return { get: (path) => ask(path), post: (path, form) => ask(path, form) };
}

function parsed(text: string): { error?: string; retry_after?: number } | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
