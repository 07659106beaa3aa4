import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { BUILT, hashOf, type MadeFrom, RECORD } from '../src/platform/start/built-program.ts';
import { bundle } from './bundle.ts';

/** Builds the bundle that `src/main.ts` runs as long as it matches the sources. The record is written last: without it the bundle is not used. */
const { entries, sources } = await bundle(BUILT, { program: 'src/program.ts' });
const contents = [...sources.values()].map((code) => Buffer.from(code));
const all = Buffer.concat(contents);
const lengths = contents.map(({ length }) => length);
const made: MadeFrom = {
  files: [...sources.keys()],
  bytes: all.length,
  hash: hashOf(lengths, all),
  entry: basename(entries.program ?? ''),
};
await writeFile(RECORD, JSON.stringify(made));
