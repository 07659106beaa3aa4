import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundle } from '../../../build/bundle.ts';

/** Inside the checkout, where the packages it uses are found. */
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache', import.meta.url));

interface BundledServer extends AsyncDisposable {
  readonly main: string;
  /** `fault-preload.ts`, of the same pieces as the program. */
  readonly preload: string;
}

/** The program as `npm run build` puts it together, with the faults of tests that start it again and again. */
export async function bundledServer(): Promise<BundledServer> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'server-'));
  const undo = async () => rm(folder, { recursive: true, force: true });
  try {
    const { entries } = await bundle(folder, {
      main: 'test/support/program/bundled-main.ts',
      preload: 'test/support/program/fault-preload.ts',
    });
    const { main = '', preload = '' } = entries;
    return { main, preload: pathToFileURL(preload).href, [Symbol.asyncDispose]: undo };
  } catch (error) {
    await undo();
    throw error;
  }
}
