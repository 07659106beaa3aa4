import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Source {
  /** Below the folder: `entry/api/gates/gates.ts`. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly { readonly of: string; readonly typeOnly: boolean }[];
}

/** Every file below the folder of the server, the pages or the SDK with what it imports from there. */
export function readSources(folder: 'src' | 'web/src' | 'sdk/src' = 'src'): Source[] {
  const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path));
  return paths.sort().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
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

/** `edge` for `entry/api/gates/gates.ts`, and '' for a file at the top. */
export const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
