import { execFile, spawnSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

/** This checkout, or a copy of it at `to` if it lies where that user cannot read it. */
export async function readableCheckout(user: { uid?: number; gid?: number }, to: string): Promise<string> {
  const script = "require('node:fs').readFileSync('src/main.ts'); require.resolve('pg')";
  if (spawnSync(process.execPath, ['-e', script], { cwd: CHECKOUT, ...user }).status === 0) return CHECKOUT;
  await mkdir(to);
  const parts = ['src', 'sdk', 'docs', 'deploy', 'migrations', 'package.json', 'openapi.json', 'node_modules'];
  const run = promisify(execFile);
  await run('cp', ['-a', ...parts.map((part) => join(CHECKOUT, part)), to]);
  await run('chmod', ['-R', 'a+rX', to]);
  return to;
}
