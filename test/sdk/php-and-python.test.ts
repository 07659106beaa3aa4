import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { testFolder } from '../support/database/folder.ts';
import { freshDatabase } from '../support/database/postgres.ts';
import { debianBinary, noProgram } from '../support/debian/debian.ts';
import { packSdks, unpackZip } from '../support/debian/installed-sdk.ts';
import { noSdkFor } from '../support/program/sdks.ts';
import { ServerProcess } from '../support/program/server-process.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFile(join(root, path), 'utf8');
const noPython = await noSdkFor('Python');
const noPhp = await noSdkFor('PHP');
/** The type checker of the field; its errors are those that users would see. */
const noMypy = await noProgram('mypy');

suite('the SDKs for PHP and Python', () => {
  const opened = new AsyncDisposableStack();
  let folder = '';
  let packed: Awaited<ReturnType<typeof packSdks>>;
  let env: NodeJS.ProcessEnv;

  before(async () => {
    folder = opened.use(await testFolder(0o755)).path;
    packed = await packSdks(folder);
    const database = await freshDatabase();
    opened.defer(() => database.drop());
    const settings = { DATABASE_URL: database.url, WAYFARE_DEMO: 'on' };
    const server = opened.use(await ServerProcess.start({ dataDir: join(folder, 'data'), env: settings }));
    env = {
      PATH: process.env.PATH,
      HOME: folder,
      WAYFARE_KEY: /\besk_test_\w+/.exec(await server.banner())?.[0] ?? '',
      WAYFARE_URL: server.urls.sandbox,
      WEBHOOK_SECRET: `whsec_${'0'.repeat(64)}`,
      PORT: '0',
    };
  });
  after(() => opened.disposeAsync());

  /** What the programs of both READMEs print, in their order; undefined: it is a receiver, which prints nothing. */
  const prints: readonly RegExp[] = [
    /^To install: http\S+\n$/,
    /^Top up \d+\.\d\d USD\n$/,
    /^(True|bool\(true\))\n$/,
    /^(\d+ .+\n)+The latest \d+ orders\n$/,
    /^\d+(\.\d+)?\n$/,
    /^account\/pricing attempt 1: 200 \S+\n$/,
    /^$/,
  ];
  async function programsOf(readme: string, language: string): Promise<string[]> {
    const programs = [...(await read(readme)).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))];
    assert.equal(programs.length, prints.length);
    return programs.map(([, text = '']) => text);
  }

  suite('Python', { skip: noPython }, () => {
    test('pip installs the wheel, and every program of the README does what it says', async () => {
      const where = join(folder, 'python');
      const pip = ['-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--disable-pip-version-check'];
      // Without pip, Python imports from the wheel itself.
      const installed = await run('python3', [...pip, '--target', where, packed.wheel]).then(
        () => where,
        () => packed.wheel,
      );
      for (const [i, text] of (await programsOf('sdk/python/README.md', 'python')).entries()) {
        const program = join(folder, `readme-${i}.py`);
        await writeFile(program, text);
        const { stdout } = await run('python3', ['-W', 'error', program], { env: { ...env, PYTHONPATH: installed } });
        assert.match(stdout, prints[i] as RegExp, text);
      }
    });

    test('it is written in the Python of 3.9, compiles, and has no dependency', async () => {
      const script = `
import ast, compileall, glob, sys
files = glob.glob(sys.argv[1] + "/src/wayfare/*.py")
names = set()
for file in files:
    tree = ast.parse(open(file, encoding="utf-8").read(), file, feature_version=(3, 9))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import): names.update(one.name.split(".")[0] for one in node.names)
        if isinstance(node, ast.ImportFrom) and node.level == 0: names.add(node.module.split(".")[0])
print(len(files), sorted(name for name in names if name not in sys.stdlib_module_names) if hasattr(sys, "stdlib_module_names") else [])`;
      const { stdout } = await run('python3', ['-c', script, join(root, 'sdk/python')]);
      assert.match(stdout, /^\d\d \[\]\n$/);
      const where = join(folder, 'compiled');
      unpackZip(packed.wheel, where);
      await run('python3', ['-m', 'compileall', '-q', where]);
    });

    test('its types are right, and so are the programs of the README and the examples', { skip: noMypy }, async () => {
      const sources = join(root, 'sdk/python');
      const programs = await Promise.all(
        (await programsOf('sdk/python/README.md', 'python')).map(async (text, i) => {
          const program = join(folder, `typed_${i}.py`);
          await writeFile(program, text);
          return program;
        }),
      );
      const examples = globSync('examples/python/*.py', { cwd: root }).map((name) => join(root, name));
      const settings = ['--config-file', join(sources, 'pyproject.toml'), '--cache-dir', join(folder, 'mypy')];
      const { path, env: ofMypy } = await debianBinary('mypy');
      const checked = await run(path, [...settings, join(sources, 'src'), ...programs, ...examples], {
        env: { ...process.env, ...ofMypy, MYPYPATH: join(sources, 'src') },
      }).catch((error) => error);
      assert.match(checked.stdout, /^Success/);
    });
  });

  suite('PHP', { skip: noPhp }, () => {
    test('every program of the README does what it says, with the package in place', async () => {
      const { path, env: ofPhp } = await debianBinary('php');
      unpackZip(packed.php, join(folder, 'wayfare-sdk'));
      await install();
      // At the command line there is no request: what receives webhooks answers 401.
      const prepended = join(folder, 'prepended.php');
      await writeFile(prepended, '<?php function getallheaders(): array { return []; }');
      const settings = ['display_errors=1', 'error_reporting=-1', `auto_prepend_file=${prepended}`];
      for (const [i, text] of (await programsOf('sdk/php/README.md', 'php')).entries()) {
        const program = join(folder, `readme-${i}.php`);
        await writeFile(program, text);
        const { stdout } = await run(path, [...settings.flatMap((one) => ['-d', one]), program], {
          cwd: folder,
          env: { ...env, ...ofPhp },
        });
        assert.match(stdout, prints[i] as RegExp, text);
      }
    });

    /** By Composer, as the README says. Without it, by what comes with the package. */
    async function install(): Promise<void> {
      // A version under development is not stable to Composer; a release is.
      await writeFile(
        join(folder, 'composer.json'),
        '{"repositories":{"packagist.org":false},"minimum-stability":"dev"}',
      );
      const composer = async (...words: string[]) =>
        run('composer', [...words, '--no-interaction'], {
          cwd: folder,
          env: { ...env, COMPOSER_ALLOW_SUPERUSER: '1', COMPOSER_DISABLE_NETWORK: '1' },
        });
      const hasComposer = await composer('--version').then(
        () => true,
        () => false,
      );
      if (hasComposer) {
        await composer('config', 'repositories.wayfare', 'path', './wayfare-sdk');
        await composer('require', '--quiet', 'wayfare/sdk');
      } else {
        unpackZip(packed.php, join(folder, 'vendor'));
      }
    }

    test('every file is strict, and written in the PHP of 8.1', async () => {
      const { path, env: ofPhp } = await debianBinary('php');
      const files = globSync(['sdk/php/**/*.php', 'examples/php/*.php'], { cwd: root });
      assert.ok(files.length > 100);
      // Read by one process: a hundred of them take seconds.
      const script =
        'foreach (array_slice($argv, 1) as $file) { try { token_get_all(file_get_contents($file), TOKEN_PARSE); } catch (ParseError $error) { echo "$file: {$error->getMessage()}\\n"; } }';
      const { stdout } = await run(path, ['-r', script, '--', ...files], {
        cwd: root,
        env: { ...process.env, ...ofPhp },
      });
      assert.equal(stdout, '');
      const newer =
        /\breadonly class\b|\bconst (string|int|float|bool|array) [A-Z]|\): \??(true|false|null)\b|\(\w+&\w+\)\|/;
      for (const name of files) {
        const text = await read(name);
        assert.match(text, /^declare\(strict_types=1\);$/m, name);
        assert.doesNotMatch(text, newer, name);
      }
    });
  });

  test('the packages hold what they say, in the version of the release, and are as small as their READMEs say', async () => {
    const { version } = JSON.parse(await read('sdk/package.json'));
    const ofPython = version.replace(/-dev$/, '.dev0');
    const [php, wheel] = [join(folder, 'php-files'), join(folder, 'wheel-files')];
    unpackZip(packed.php, php);
    unpackZip(packed.wheel, wheel);
    const manifest = JSON.parse(await readFile(join(php, 'composer.json'), 'utf8'));
    assert.deepEqual([manifest.name, manifest.version], ['wayfare/sdk', version]);
    assert.deepEqual(manifest.require, { php: '>=8.1', 'ext-curl': '*', 'ext-json': '*' });
    assert.match(
      await readFile(join(wheel, `wayfare_sdk-${ofPython}.dist-info/METADATA`), 'utf8'),
      new RegExp(`^Name: wayfare-sdk\nVersion: ${ofPython}\n(.+\n)*Requires-Python: >=3.9\n`, 'm'),
    );
    for (const [file, limit] of [
      [packed.php, 95_000],
      [packed.wheel, 55_000],
      [packed.source, 48_000],
    ] as const) {
      const { size } = await stat(file);
      assert.ok(size > 10_000 && size <= limit, `${file} has ${size} bytes`);
    }
    for (const language of ['php', 'python'])
      assert.equal(await read(`sdk/${language}/LICENSE`), await read('LICENSE'));
  });

  test('the same sources make the same packages', async () => {
    await using other = await testFolder(0o755);
    const again = await packSdks(other.path);
    for (const name of ['php', 'wheel', 'source'] as const)
      assert.ok((await readFile(packed[name])).equals(await readFile(again[name])), name);
  });
});
