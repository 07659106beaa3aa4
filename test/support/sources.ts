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

/**
 * The districts of `src/domains/`, from the bottom: a district imports only from those before it, the last three not from each other.
 * Each is divided into rooms, and a room is entered by its door, the file with its name. A district that is named among its own rooms
 * has a door itself, for what is not in another room of it.
 */
export const districts: Readonly<Record<string, readonly string[]>> = {
  money: ['ledger', 'books', 'proof', 'archive'],
  partners: [
    'accounts',
    'keys',
    'limits',
    'people',
    'single-sign-on',
    'applications',
    'notes',
    'proposals',
    'saved-views',
  ],
  messages: ['events', 'webhooks', 'airalo', 'mail', 'texts'],
  catalog: ['catalog', 'import-format', 'prices', 'retail'],
  supply: ['supply', 'port', 'routes', 'stock', 'calls'],
  sales: [
    'purchase',
    'orders',
    'order-lists',
    'esims',
    'usage',
    'suspension',
    'refunds',
    'replacements',
    'autorefill-rows',
    'autorefill',
  ],
  billing: ['topups', 'revenue-share', 'invoices'],
  travellers: ['travellers'],
  insight: ['rollups', 'figures', 'request-log', 'status-page'],
};

/** `sales/orders` for a file of that room, `entry/api`, `platform/db`, `worlds`; '' for a file at the top. */
export function roomOf(path: string): string {
  const [floor = '', second = '', third = ''] = path.split('/');
  if (floor === 'domains')
    return districts[second]?.includes(third) && third !== second ? `${second}/${third}` : second;
  if (floor === 'entry' || floor === 'platform') return second.endsWith('.ts') ? floor : `${floor}/${second}`;
  return path.includes('/') ? floor : '';
}

/** The only file of a room that others import. */
export const doorOf = (room: string): string => `domains/${room}/${room.split('/').at(-1)}.ts`;

/** Every room of the domains, as `roomOf` names it. */
export const rooms: readonly string[] = Object.entries(districts).flatMap(([district, inside]) =>
  inside.map((room) => (room === district ? district : `${district}/${room}`)),
);

/** The first folder of a path: `panel` for `panel/api/keys.ts`, '' for a file at the top. */
export const folderOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : '');
