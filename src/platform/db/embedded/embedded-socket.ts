import { lchown, lstat, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Place, SYSTEM_DIR } from './embedded-place.ts';

/**
 * The folder that holds the embedded server's socket. It is `<data>/postgres-run`, unless that path is too long for a socket
 * address. Then it is a new folder with a random name, and a file in the data folder remembers which, so that commands beside
 * a running server find it.
 *
 * The folder for long paths is made where other users may write too, so nothing there is taken on trust: a name we did not just
 * make must be a real folder (not a link), owned by the server's user and closed to everybody else, or it is refused. Root
 * makes its folder in a place only root can write, because root hands the folder to `nobody`, and a stranger who could swap it
 * for a link would choose what is handed over.
 */

/** sun_path holds 108 bytes including `/.s.PGSQL.5432` and the final zero. */
const PATH_LIMIT = 108 - '/.s.PGSQL.5432'.length - 1;

export class UnsafeSocketFolder extends Error {}

const beside = ({ dataDir }: Place): string => `${dataDir}-run`;
const noteFile = ({ dataDir }: Place): string => `${dataDir}-socket`;
const fits = (folder: string): boolean => Buffer.byteLength(folder) <= PATH_LIMIT;

/** Where a running server's socket is; undefined when the folder is missing or somebody else could have made it. */
export async function findSocketFolder(place: Place): Promise<string | undefined> {
  const folder = fits(beside(place)) ? beside(place) : await noted(place);
  return folder && (await isPrivate(folder, place)) ? folder : undefined;
}

/** Where the server about to start puts its socket. */
export async function chooseSocketFolder(place: Place): Promise<string> {
  if (fits(beside(place))) return beside(place);
  const kept = await findSocketFolder(place);
  if (kept) return kept;
  if (place.owner) await mkdir(SYSTEM_DIR, { recursive: true });
  const folder = await mkdtemp(place.owner ? join(SYSTEM_DIR, 'run-') : '/tmp/wayfare-');
  const draft = `${noteFile(place)}.${process.pid}`;
  await writeFile(draft, folder, { mode: 0o600 });
  await rename(draft, noteFile(place));
  return folder;
}

/** Makes the chosen folder if it is missing and hands it to the server's user. Throws if it is not theirs alone. */
export async function prepareSocketFolder(folder: string, place: Place): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const found = await lstat(folder);
  // lchown: if the name became a link in the meantime, only the link would change hands.
  if (place.owner && found.isDirectory() && found.uid === process.getuid?.())
    await lchown(folder, place.owner.uid, place.owner.gid);
  if (!(await isPrivate(folder, place)))
    throw new UnsafeSocketFolder(`${folder} must be a folder that only uid ${serverUid(place)} can enter; remove it`);
}

export async function removeSocketFolder(folder: string, place: Place): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rm(noteFile(place), { force: true });
}

const noted = (place: Place): Promise<string | undefined> => readFile(noteFile(place), 'utf8').catch(() => undefined);

const serverUid = ({ owner }: Place): number | undefined => owner?.uid ?? process.getuid?.();

async function isPrivate(folder: string, place: Place): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === serverUid(place) && (found.mode & 0o077) === 0;
}
