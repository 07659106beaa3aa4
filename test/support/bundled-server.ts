import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
/** Inside the checkout, where the packages it uses are found. */
const CACHE = here('../../node_modules/.cache');

export interface BundledServer extends AsyncDisposable {
  readonly main: string;
  /** `fault-preload.ts`, of the same pieces as the program. */
  readonly preload: string;
}

/**
 * The program in a few files instead of a thousand, for tests that start it again and again: finding and linking the files is a third of
 * the processor time of a start. Nothing is left out or shortened, and each file still believes that it is where it was.
 */
export async function bundledServer(): Promise<BundledServer> {
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'server-'));
  const undo = async () => rm(folder, { recursive: true, force: true });
  try {
    await build({
      configFile: false,
      logLevel: 'error',
      plugins: [{ name: 'whereabouts', transform: whereabouts }],
      ssr: { target: 'node', external: true },
      build: {
        ssr: true,
        outDir: folder,
        target: 'esnext',
        rolldownOptions: {
          input: { main: here('../../src/main.ts'), preload: here('fault-preload.ts') },
          treeshake: false,
          output: { entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
  } catch (error) {
    await undo();
    throw error;
  }
  const made = (name: string) => join(folder, `${name}.mjs`);
  return { main: made('main'), preload: pathToFileURL(made('preload')).href, [Symbol.asyncDispose]: undo };
}

const whereabouts = (code: string, file: string): string | undefined =>
  code.includes('import.meta.url')
    ? code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
    : undefined;
