import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Bundle {
  /** The file that each program begins with. */
  readonly entries: Readonly<Record<string, string>>;
  /** The files of ours that were read, relative to the checkout, and what they contained when they were read. */
  readonly sources: ReadonlyMap<string, string>;
}

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Bundles programs into `folder`, each with what it imports, in a few shared files. Packages stay where they are, nothing is left out
 * or minified, and `import.meta` of each file still gives its original place, even if the checkout is moved.
 */
export async function bundle(folder: string, programs: Readonly<Record<string, string>>): Promise<Bundle> {
  const sources = new Map<string, string>();
  const { output } = (await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'whereabouts',
        // Before types are stripped, so that it sees what the file contains.
        enforce: 'pre',
        transform(code, file) {
          if (!file.startsWith(ROOT) || file.includes('/node_modules/')) return undefined;
          sources.set(relative(ROOT, file), code);
          if (!code.includes('import.meta.url')) return undefined;
          const here = `new URL(${JSON.stringify(relative(folder, file))}, import.meta.url).href`;
          // Line numbers stay the same.
          const mappings = `AAAA${';AACA'.repeat(code.split('\n').length - 1)}`;
          const map = { version: 3 as const, sources: [file], names: [], mappings };
          return { code: code.replaceAll('import.meta.url', here), map };
        },
      },
      {
        name: 'one byte a character',
        // V8 keeps a file's text in memory, with two bytes for each character if a single one of them needs two.
        generateBundle(_options, files) {
          for (const file of Object.values(files))
            if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\xff]/g, escaped);
        },
      },
    ],
    ssr: { target: 'node', external: true },
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: true,
      sourcemap: true,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(programs).map(([name, file]) => [name, join(ROOT, file)])),
        treeshake: false,
        // A process loads some of its files when they are first needed. The hash keeps it from loading those of another build.
        output: {
          entryFileNames: '[name]-[hash].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          sourcemapExcludeSources: true,
        },
      },
    },
  })) as Rolldown.RolldownOutput;
  const begun = output.filter((file) => file.type === 'chunk').filter(({ isEntry }) => isEntry);
  return { entries: Object.fromEntries(begun.map(({ name, fileName }) => [name, join(folder, fileName)])), sources };
}
