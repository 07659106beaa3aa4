import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run SCRIPT NAME`: every file beside `run` is a program and runs when it is imported. Undefined, and said so: there is none of that name. */
export function namedProgram(script: string, run: string): string | undefined {
  const names = globSync('*.ts', { cwd: fileURLToPath(new URL('.', run)) })
    .map((file) => basename(file, '.ts'))
    .filter((file) => file !== 'run');
  const name = process.argv[2];
  if (name !== undefined && names.includes(name)) return new URL(`${name}.ts`, run).href;
  console.error(`usage: npm run ${script} ${names.join('|')}`);
  process.exitCode = 1;
  return undefined;
}
