import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { record } from './app.ts';

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout, when there is one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers.
  json: any;
}

const MAIN = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));

/** The command line as a person would start it, in a process of its own. */
export async function wayfare(env: NodeJS.ProcessEnv, ...words: string[]): Promise<Run> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn(process.execPath, [MAIN, ...words], { env: { PATH, NODE_COMPILE_CACHE, ...env } });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  let json: { key?: string; secret?: string } | undefined;
  try {
    json = JSON.parse(stdout);
  } catch {}
  for (const issued of [json?.key, json?.secret]) if (typeof issued === 'string') record('secrets', `${issued}\n`);
  return { code, stdout, stderr, json };
}
