import { globSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run bench edge`: every other file of this folder is a bench and runs when it is imported. */
const folder = fileURLToPath(new URL('.', import.meta.url));
const names = globSync('*.ts', { cwd: folder })
  .map((file) => basename(file, '.ts'))
  .filter((file) => file !== 'run');
const [name] = process.argv.slice(2);

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench ${names.join('|')}`);
  process.exitCode = 1;
} else {
  const gigabytes = Math.round(totalmem() / 2 ** 30);
  console.log(`$ npm run bench ${process.argv.slice(2).join(' ')}`);
  console.log(
    `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${gigabytes} GiB, ${process.platform} ${process.arch}, Node ${process.version}\n`,
  );
  await import(`./${name}.ts`);
}
