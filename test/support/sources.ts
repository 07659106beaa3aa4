import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Source {
  /** Below src/: `edge/gates.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly { readonly of: string; readonly typeOnly: boolean }[];
}

const ROOT = fileURLToPath(new URL('../../src', import.meta.url));

/** Every file below src/ with what it imports from there. */
export function readSources(): Source[] {
  const paths = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  return paths.sort().map((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const found = [
      ...text.matchAll(/^(?:import|export) (type )?[^;]*?from '(\.[^']+)'/gm),
      ...text.matchAll(/\bimport\((type )?'(\.[^']+)'\)/g),
    ];
    const imports = found.map(([, type, of = '']) => ({
      of: normalize(join(dirname(path), of)),
      typeOnly: type !== undefined,
    }));
    return { path, text, imports };
  });
}

/** `edge` for `edge/gates.ts`, and '' for a file at the top. */
export const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
