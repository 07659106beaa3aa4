import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { strToU8, type Zippable, zipSync } from 'fflate';

/*
 * Packs the SDKs for PHP and Python into the folder of the checkout, or into the one named. `npm run sdk` does it, after `npm pack ./sdk`.
 * It needs no network, no Python and no PHP: a wheel and a Composer package are archives whose few entries are known. The same sources
 * give the same bytes.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const into = process.argv[2] ?? join(here, '..');
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as { version: string };
/** As Python writes a version under development: a hyphen would end it in the name of a wheel. */
const pythonVersion = version.replace(/-dev$/, '.dev0');
/** Archives cannot begin before 1980. */
const WHEN = new Date('2000-01-01T00:00:00Z');

/** Files of a folder by their path in it, in order, without what running them has left behind. */
const filesIn = (folder: string, patterns: readonly string[]): [string, Uint8Array][] =>
  globSync([...patterns], { cwd: join(here, folder) })
    .sort()
    .map((path) => [path, readFileSync(join(here, folder, path))]);

function writeZip(name: string, files: Iterable<readonly [string, Uint8Array]>): void {
  const entries: Zippable = {};
  // Read and written by their owner, readable by all.
  for (const [path, bytes] of files) entries[path] = [bytes, { mtime: WHEN, os: 3, attrs: 0o644 << 16, level: 9 }];
  writeFileSync(join(into, name), zipSync(entries));
  console.log(name);
}

/** Composer reads the version from the package where no repository names it. */
function php(): void {
  const files = filesIn('php', ['src/**/*.php', 'autoload.php', 'README.md', 'LICENSE']);
  const manifest = JSON.parse(readFileSync(join(here, 'php/composer.json'), 'utf8')) as object;
  const text = `${JSON.stringify({ ...manifest, version }, null, 2)}\n`;
  writeZip(`wayfare-sdk-php-${version}.zip`, [['composer.json', strToU8(text)], ...files]);
}

/** What a wheel and a source archive say about the package, from pyproject.toml and the README. */
function metadata(): Uint8Array {
  const project = readFileSync(join(here, 'python/pyproject.toml'), 'utf8');
  const named = (name: string) => new RegExp(`^${name} = "(.+)"$`, 'm').exec(project)?.[1];
  const lines = [
    'Metadata-Version: 2.1',
    `Name: ${named('name')}`,
    `Version: ${pythonVersion}`,
    `Summary: ${named('description')}`,
    'Keywords: esim,travel,wayfare',
    'License: MIT',
    `Requires-Python: ${named('requires-python')}`,
    'Description-Content-Type: text/markdown',
  ];
  return strToU8(`${lines.join('\n')}\n\n${readFileSync(join(here, 'python/README.md'), 'utf8')}`);
}

function wheel(): void {
  const info = `wayfare_sdk-${pythonVersion}.dist-info`;
  const sources = filesIn('python/src', ['wayfare/*.py', 'wayfare/py.typed']);
  const files: [string, Uint8Array][] = [
    ...sources,
    [`${info}/METADATA`, metadata()],
    [`${info}/WHEEL`, strToU8('Wheel-Version: 1.0\nGenerator: wayfare\nRoot-Is-Purelib: true\nTag: py3-none-any\n')],
    [`${info}/LICENSE`, readFileSync(join(here, 'python/LICENSE'))],
  ];
  const lines = files.map(([path, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url');
    return `${path},sha256=${hash},${bytes.length}\n`;
  });
  const record: [string, Uint8Array] = [`${info}/RECORD`, strToU8(`${lines.join('')}${info}/RECORD,,\n`)];
  writeZip(`wayfare_sdk-${pythonVersion}-py3-none-any.whl`, [...files, record]);
}

/** For those who build from sources: their tool fetches setuptools. */
function sourceArchive(): void {
  const folder = mkdtempSync(join(tmpdir(), 'wayfare-sdk-'));
  const name = `wayfare_sdk-${pythonVersion}`;
  try {
    const sources = ['src/wayfare/*.py', 'src/wayfare/py.typed', 'pyproject.toml', 'README.md', 'LICENSE'];
    for (const [path] of filesIn('python', sources)) cpSync(join(here, 'python', path), join(folder, name, path));
    writeFileSync(join(folder, name, 'PKG-INFO'), metadata());
    const same = [
      '--sort=name',
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=a+rX,u+w,go-w',
      `--mtime=@${WHEN.getTime() / 1000}`,
    ];
    const tar = execFileSync('tar', [...same, '-C', folder, '-cf', '-', name]);
    writeFileSync(join(into, `${name}.tar.gz`), execFileSync('gzip', ['-9n'], { input: tar }));
    console.log(`${name}.tar.gz`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

php();
wheel();
sourceArchive();
