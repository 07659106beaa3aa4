import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  globSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

interface Source {
  /** Packages that hold the program. */
  readonly holders: (apt: Apt) => Promise<string[]>;
  /** Packages whose missing dependencies are fetched as well. */
  readonly dependsLike: readonly string[];
}

const sources = {
  'redis-server': {
    // The program is a link into the tools.
    holders: async () => ['redis-server', 'redis-tools'],
    dependsLike: ['redis-server', 'redis-tools'],
  },
  // Headless Chromium.
  'chromium-headless-shell': {
    holders: async () => ['chromium-headless-shell', 'chromium-common'],
    // Without any font it draws nothing, and ends.
    dependsLike: ['chromium-headless-shell', 'fonts-dejavu-core'],
  },
  pgbouncer: { holders: async () => ['pgbouncer'], dependsLike: ['pgbouncer'] },
  nginx: { holders: async () => ['nginx'], dependsLike: ['nginx'] },
  pdftotext: { holders: async () => ['poppler-utils'], dependsLike: ['poppler-utils'] },
  wrk: { holders: async () => ['wrk'], dependsLike: ['wrk'] },
  pgbench: {
    // It comes with the server of that release, but needs none of the server's libraries.
    holders: async (apt) => (await apt.depends('postgresql')).filter((name) => /^postgresql-\d+$/.test(name)),
    dependsLike: ['libpq5'],
  },
  // As packaged, with what compiles plans (llvmjit).
  postgres: {
    holders: async (apt) => (await apt.depends('postgresql')).filter((name) => /^postgresql-\d+$/.test(name)),
    dependsLike: ['postgresql'],
  },
  pgbackrest: { holders: async () => ['pgbackrest'], dependsLike: ['pgbackrest'] },
  // With what the SDK sends its requests by.
  php: {
    holders: async (apt) =>
      (await Promise.all(['php-cli', 'php-curl'].map((name) => apt.depends(name)))).flat().filter(isVersioned),
    dependsLike: ['php-cli', 'php-curl'],
  },
  ruby: {
    holders: async (apt) => (await apt.depends('ruby')).filter(isVersioned),
    // What else its package depends on is for building and serving.
    dependsLike: ['libruby'],
  },
  go: {
    // The compiler's package, and beside it the standard library's sources: 80 MB to fetch, half of what Chromium is.
    holders: async (apt) =>
      (await apt.depends('golang-go')).filter(isVersioned).flatMap((name) => [name, name.replace(/-go$/, '-src')]),
    dependsLike: ['libc6'],
  },
  caddy: { holders: async () => ['caddy'], dependsLike: ['libc6'] },
  // What else Prometheus's package depends on is for its web pages.
  promtool: { holders: async () => ['prometheus'], dependsLike: ['libc6'] },
  etcd: { holders: async () => ['etcd-server'], dependsLike: ['libc6'] },
  haproxy: { holders: async () => ['haproxy'], dependsLike: ['haproxy'] },
  // Of the stores of its state that Patroni can use, the package depends on none.
  patroni: { holders: async () => ['patroni'], dependsLike: ['patroni', 'python3-etcd'] },
  mypy: { holders: async () => ['mypy', 'python3-mypy'], dependsLike: ['python3-mypy'] },
  debootstrap: { holders: async () => ['debootstrap'], dependsLike: ['libc6'] },
  'systemd-analyze': { holders: async () => ['systemd'], dependsLike: ['systemd'] },
} satisfies Record<string, Source>;

/** A package of one release, among those that always name the current one. */
const isVersioned = (name: string): boolean => /^(php|ruby|golang-)\d/.test(name);

export type DebianBinary = keyof typeof sources;

export interface Program {
  readonly path: string;
  readonly env: Record<string, string>;
}

/** A program of Debian's: the one installed, or its packages unpacked into a cache of this user's. Needs no root. */
export async function debianBinary(name: DebianBinary): Promise<Program> {
  return installed(name) ?? unpacked(name) ?? (await fetched(name));
}

/** For a test that needs the program: why it is skipped, on a machine that neither has nor can fetch it. `CI=true` accepts no skips. */
export const noProgram = (name: DebianBinary): Promise<string | false> =>
  debianBinary(name).then(
    () => false,
    (error: Error) => error.message,
  );

function installed(name: DebianBinary): Program | undefined {
  const folders = [
    ...globSync('/usr/lib/postgresql/*/bin'),
    '/usr/sbin',
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ];
  const path = folders.map((folder) => join(folder, name)).find(isProgram);
  return path === undefined ? undefined : { path, env: {} };
}

function unpacked(name: DebianBinary): Program | undefined {
  const root = join(cacheFolder(), name);
  const path = [
    // What Chromium has in usr/bin is a script that looks for the program in its final place.
    join(root, 'usr/lib/chromium', name),
    join(root, 'usr/bin', name),
    join(root, 'usr/sbin', name),
    ...globSync(join(root, 'usr/lib/{postgresql/*,go-*}/bin', name)),
    // PHP and Ruby are named with their release.
    ...globSync(join(root, 'usr/bin', `${name}[0-9]*`)),
  ].find(isProgram);
  if (path === undefined) return undefined;
  const libraries = globSync(join(root, '{usr/,}lib/*-linux-gnu*{,/pulseaudio,/systemd}'));
  const fonts = globSync(join(root, 'etc/fonts'));
  const ruby = globSync(join(root, 'usr/lib/{,*-linux-gnu*/}ruby/[0-9]*'));
  const python = globSync(join(root, 'usr/lib/python3/dist-packages'));
  const extensions = globSync(join(root, PHP_EXTENSIONS));
  const units = globSync(join(root, '{usr/,}lib/systemd/system'));
  const debootstrap = globSync(join(root, 'usr/share/debootstrap'));
  return {
    path,
    env: {
      ...(libraries.length > 0 && { LD_LIBRARY_PATH: libraries.join(':') }),
      ...(fonts[0] !== undefined && { FONTCONFIG_PATH: fonts[0], XDG_DATA_HOME: join(root, 'usr/share') }),
      ...(ruby.length > 0 && { RUBYLIB: ruby.join(':'), RUBYOPT: '--disable-gems' }),
      ...(python.length > 0 && { PYTHONPATH: python.join(':') }),
      ...(debootstrap[0] !== undefined && { DEBOOTSTRAP_DIR: debootstrap[0] }),
      ...(extensions[0] !== undefined && { PHP_INI_SCAN_DIR: extensions[0] }),
      // The empty entry at the end adds the machine's own.
      ...(units.length > 0 && { SYSTEMD_UNIT_PATH: `${units.join(':')}:` }),
    },
  };
}

/** Unpacks beside the final place and moves the whole folder there, so a run at the same time sees all of it or nothing. */
async function fetched(name: DebianBinary): Promise<Program> {
  const work = mkdtempSync(join(cacheFolder(), `${name}.`));
  try {
    const apt = await privateApt(join(work, 'apt'));
    const { holders, dependsLike } = sources[name];
    const packages = new Set([...(await holders(apt)), ...(await apt.missing(dependsLike))]);
    const root = join(work, 'root');
    for (const archive of await apt.download([...packages], join(work, 'archives')))
      await run('dpkg-deb', ['-x', archive, root]);
    if (name === 'php') namePhpExtensions(root);
    try {
      renameSync(root, join(cacheFolder(), name));
    } catch (error) {
      // Another run was first: use its folder.
      if (unpacked(name) === undefined) throw error;
    }
  } catch (error) {
    throw new Error(`${name} is not installed and could not be fetched from Debian's packages`, { cause: error });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  const program = unpacked(name);
  if (program === undefined) throw new Error(`Debian's packages for ${name} hold no such program`);
  return program;
}

const PHP_EXTENSIONS = 'etc/php-extensions';

/** PHP looks for its extensions where packages are installed, so they are named by where they will be. */
function namePhpExtensions(root: string): void {
  mkdirSync(join(root, PHP_EXTENSIONS), { recursive: true });
  const files = globSync('usr/lib/php/*/{curl,tokenizer}.so', { cwd: root });
  const lines = files.map((file) => `extension=${join(cacheFolder(), 'php', file)}\n`);
  writeFileSync(join(root, PHP_EXTENSIONS, 'extensions.ini'), lines.join(''));
}

interface Apt {
  depends(name: string): Promise<string[]>;
  /** What has to be installed for these, themselves included, and is not. */
  missing(names: readonly string[]): Promise<string[]>;
  download(names: readonly string[], into: string): Promise<string[]>;
}

/** apt with lists and caches of its own: the machine's may be empty, and only root may fill them. */
async function privateApt(folder: string): Promise<Apt> {
  for (const part of ['lists/partial', 'archives/partial']) mkdirSync(join(folder, part), { recursive: true });
  // With nothing installed there is always a plan, whatever state the machine is in.
  writeFileSync(join(folder, 'status'), '');
  const settings = join(folder, 'apt.conf');
  writeFileSync(
    settings,
    `Dir::State "${folder}";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}";
Dir::Cache::archives "${folder}/archives";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::Retries "2";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
`,
  );
  const apt = async (command: string, args: readonly string[], cwd = folder): Promise<string[]> =>
    (await run(command, ['-c', settings, '-q', ...args], { cwd, env: { ...process.env, LC_ALL: 'C' } })).stdout.split(
      '\n',
    );
  await apt('apt-get', ['update']);
  return {
    async depends(name) {
      return (await apt('apt-cache', ['depends', name])).flatMap(
        (line) => /^ +Depends: ([^<>\s]+)$/.exec(line)?.[1] ?? [],
      );
    },
    async missing(names) {
      const plan = await apt('apt-get', ['install', '--simulate', '--no-install-recommends', ...names]);
      // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg-query's own placeholders.
      const { stdout } = await run('dpkg-query', ['-W', '-f', '${db:Status-Status} ${Package}\n']);
      const present = new Set(stdout.split('\n'));
      return plan
        .flatMap((line) => /^Inst (\S+)/.exec(line)?.[1] ?? [])
        .filter((name) => !present.has(`installed ${name}`));
    },
    async download(names, into) {
      mkdirSync(into);
      await apt('apt-get', ['download', ...names], into);
      return globSync(join(into, '*.deb'));
    },
  };
}

/** Outside the checkout, and private to this user: what is in it is executed. */
function cacheFolder(): string {
  const candidates = [
    // What root fetches, a server that runs as another user must be able to read.
    ...(process.getuid?.() === 0 ? ['/var/cache/wayfare-debian'] : []),
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wayfare-debian'),
    join(tmpdir(), `wayfare-debian-${process.getuid?.()}`),
  ];
  for (const folder of candidates) {
    try {
      mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o755 : 0o700 });
      accessSync(folder, constants.W_OK);
      if (statSync(folder).uid === process.getuid?.()) return folder;
    } catch {}
  }
  throw new Error(`no folder to keep fetched programs in: tried ${candidates.join(' and ')}`);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
