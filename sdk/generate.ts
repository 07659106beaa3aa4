import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readModel } from './generate/calls.ts';
import { phpFiles } from './generate/php.ts';
import { pythonFiles } from './generate/python.ts';
import { examplesText, schemaText, versionText } from './generate/typescript.ts';

/*
 * Makes what the SDKs derive from openapi.json and the recorded examples: the types of TypeScript and the answers of its fake; the
 * calls, types and errors of PHP and Python. None of it is in the repository: `npm ci`, the build, the check and the packing make it.
 */
const here = new URL('./', import.meta.url);

/** Only what has changed is written: other processes may be reading these files. */
async function write(path: string, text: string): Promise<void> {
  const file = new URL(path, here);
  if ((await readFile(file, 'utf8').catch(() => '')) === text) return;
  await mkdir(dirname(file.pathname), { recursive: true });
  await writeFile(file, text);
}

/** Files of what is no longer described would still be packed. */
async function removeOthers(folder: string, made: Iterable<string>): Promise<void> {
  const kept = new Set(made);
  for (const name of await readdir(new URL(folder, here)))
    if (!kept.has(`${folder}${name}`)) await rm(new URL(`${folder}${name}`, here));
}

const model = await readModel();
await write('src/schema.ts', await schemaText());
await write('src/examples.ts', await examplesText());
await write('src/version.ts', await versionText());
for (const [language, files] of [
  ['php', phpFiles(model)],
  ['python', pythonFiles(model)],
] as const)
  for (const [path, text] of files) await write(`${language}/${path}`, text);
const php = [...phpFiles(model).keys()].map((path) => `php/${path}`);
for (const folder of ['php/src/Calls/', 'php/src/Errors/']) await removeOthers(folder, php);
