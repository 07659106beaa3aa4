import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const NAMED = 'tabler:';
const drawings = import.meta.resolve('@iconify-json/tabler/icons.json');

interface Drawings {
  readonly icons: Readonly<Record<string, { readonly body: string }>>;
}

/**
 * Makes a component of each drawing that is imported as `tabler:name` (`src/parts/icons.ts` lists them). All of Tabler's drawings come
 * in one file; its own package for React has them in 18,000, nearly half of what `npm ci` would write.
 */
export function icons(): Plugin {
  let all: Promise<Drawings> | undefined;
  return {
    name: 'icons',
    resolveId: (id) => (id.startsWith(NAMED) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${NAMED}`)) return undefined;
      all ??= readFile(fileURLToPath(drawings), 'utf8').then((text) => JSON.parse(text) as Drawings);
      const paths = pathsOf((await all).icons[id.slice(NAMED.length + 1)]?.body);
      if (paths === undefined) this.error(`${id.slice(1)} is no drawing that consists of lines`);
      return {
        code: `import { drawn } from '/src/parts/drawn.tsx'; export const Icon = /* @__PURE__ */ drawn(${JSON.stringify(paths)});`,
        moduleSideEffects: false,
      };
    },
  };
}

/** How the lines of an outlined icon run. How they are drawn is the component's part, so that a page can change it. */
function pathsOf(body: string | undefined): string[] | undefined {
  const tags = body?.match(/<[a-z]+ [^>]*>/g)?.filter((tag) => !tag.startsWith('<g '));
  const paths = tags?.map((tag) => /^<path .*\bd="([^"]+)"/.exec(tag)?.[1]);
  return paths?.every((path) => path !== undefined) ? paths : undefined;
}
