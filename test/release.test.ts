import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { type Release, releaseNotes, releaseOf } from '../build/release.ts';
import { isOlder } from '../src/platform/db/migrate/schema-promise.ts';
import { version } from '../src/platform/settings/version.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly needs?: string;
  readonly if?: string;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const root = new URL('../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const workflow = async (name: string): Promise<Workflow> => parse(await readFile(new URL(name, folder), 'utf8'));
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const commandsOf = (steps: readonly Step[]): string[] => steps.flatMap(({ run }) => run ?? []);
const runs = (found: Workflow): string[] => commandsOf(stepsOf(found));

suite('workflows', () => {
  test('every push and pull request runs .ci/run and no other command, with the whole history', async () => {
    const ci = await workflow('ci.yml');
    assert.deepEqual(Object.keys(ci.on).sort(), ['pull_request', 'push']);
    assert.deepEqual(ci.permissions, { contents: 'read' });
    assert.deepEqual(runs(ci), ['.ci/run']);
    assert.equal(stepsOf(ci)[0]?.with?.['fetch-depth'], 0);
    assert.ok((await stat(new URL('.ci/run', root))).mode & 0o100, 'it can be executed');
  });

  test('the container is built, started and buys an eSIM on every push to main, and when a pull request changes it', async () => {
    const container = await workflow('container.yml');
    assert.deepEqual(Object.keys(container.on).sort(), ['pull_request', 'push']);
    assert.deepEqual(container.permissions, { contents: 'read' });
    assert.deepEqual(runs(container), ['sh deploy/container/try.sh']);
  });

  test('a release is made by hand: its version is checked first, and it is published only after .ci/run and the container have passed', async () => {
    const workflows = await workflow('release.yml');
    assert.deepEqual(Object.keys(workflows.on), ['workflow_dispatch']);
    assert.deepEqual(workflows.permissions, { contents: 'read' });
    const { release, npm, ...others } = workflows.jobs;
    assert.ok(release && npm);
    assert.deepEqual(others, {});
    assert.deepEqual(release.permissions, { contents: 'write', packages: 'write' });
    const [check, ci, pack, container, image, publish, ...more] = commandsOf(release.steps);
    assert.match(check ?? '', /^node build\/release\.ts "\$VERSION" > /);
    assert.equal(ci, '.ci/run');
    assert.equal(pack, 'npm run sdk');
    assert.equal(container, 'sh deploy/container/try.sh');
    assert.match(
      image ?? '',
      /\$\{GITHUB_REPOSITORY,,\}:\$VERSION"\n.*docker login .*\ndocker tag wayfare .*\ndocker push /s,
    );
    assert.match(publish ?? '', /^gh release create "v\$VERSION" --target "\$GITHUB_SHA" .*--notes-file/);
    assert.deepEqual(more, []);
    const artifact = release.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    assert.equal(artifact?.with?.path, 'wayfare-sdk-*.tgz\nwayfare-sdk-php-*.zip\nwayfare_sdk-*\n');
    assert.match(publish ?? '', / wayfare-sdk-\*\.tgz wayfare-sdk-php-\*\.zip wayfare_sdk-\*$/);
    // Only the job that publishes to npm can prove where it was built, and it holds nothing else.
    assert.deepEqual([npm.needs, npm.if], ['release', 'inputs.npm']);
    assert.deepEqual(npm.permissions, { contents: 'read', 'id-token': 'write' });
    assert.match(commandsOf(npm.steps).at(-1) ?? '', /^npm publish /);
  });

  test('name each action by commit with its version beside it, the same everywhere, and put no input into a command', async () => {
    const pins = new Map<string, string>();
    for (const name of await readdir(folder)) {
      const lines = (await readFile(new URL(name, folder), 'utf8')).match(/^.*\buses:.*$/gm) ?? [];
      for (const line of lines) {
        const [, action = '', pin = ''] = /uses: ([\w-]+\/[\w-]+)@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/.exec(line) ?? [];
        assert.ok(pin, `${name}: ${line}`);
        assert.equal(pins.get(action) ?? pin, pin, `${name}: ${action}`);
        pins.set(action, pin);
      }
      for (const { uses, run } of stepsOf(await workflow(name))) {
        if (uses) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, name);
        if (run) assert.doesNotMatch(run, /\$\{\{/, name);
      }
    }
  });
});

test('updates are proposed for packages, actions, and the images of deploy/container', async () => {
  const { updates } = parse(await readFile(new URL('.github/dependabot.yml', root), 'utf8')) as {
    updates: readonly { 'package-ecosystem': string; directory: string }[];
  };
  assert.deepEqual(
    updates.map((one) => [one['package-ecosystem'], one.directory]),
    [
      ['npm', '/'],
      ['github-actions', '/'],
      ['docker', '/deploy/container'],
      ['docker-compose', '/deploy/container'],
    ],
  );
});

suite('a release', () => {
  const right: Release = {
    version: '0.3.0',
    stated: { 'package.json': '0.3.0', 'sdk/package.json': '0.3.0' },
    changelog:
      '# Changelog\n\n## Unreleased\n\n## 0.3.0 - 2026-12-01\n\n### Added\n\n- This.\n\n## 0.2.0 - 2026-11-18\n\n- That.\n',
    tags: ['v0.2.0'],
  };

  test('has its section of the changelog as notes', () => {
    assert.equal(releaseNotes(right), '### Added\n\n- This.');
  });

  const wrong: Readonly<Record<string, readonly [Partial<Release>, RegExp]>> = {
    'what is no version': [{ version: 'v0.3.0' }, /is not a version/],
    'a version under development': [{ version: '0.3.0-dev' }, /is not a version/],
    'a version that a package does not have': [
      { stated: { 'sdk/package.json': '0.2.0' } },
      /sdk\/package.json says 0.2.0/,
    ],
    'a tag that exists': [{ tags: ['v0.3.0'] }, /exists already/],
    'changes that are not in a section yet': [
      { changelog: right.changelog.replace('Unreleased\n', 'Unreleased\n\n- More.\n') },
      /still has changes/,
    ],
    'a section of another version on top': [
      { changelog: right.changelog.replace('## 0.3.0 - 2026-12-01\n\n### Added\n\n- This.\n', '') },
      /latest section is "0.2.0 - 2026-11-18"/,
    ],
    'a section without a date': [
      { changelog: right.changelog.replace(' - 2026-12-01', '') },
      /latest section is "0.3.0"/,
    ],
  };
  for (const [what, [change, message]] of Object.entries(wrong))
    test(`is refused: ${what}`, () => {
      assert.throws(() => releaseNotes({ ...right, ...change }), message);
    });

  test('can be made of this checkout, once its version is final, its section has a date and its tag is new', () => {
    const here = releaseOf(version.replace(/-dev$/, ''));
    const stated = Object.fromEntries(
      Object.entries(here.stated).map(([file, one]) => [file, one.replace(/-dev$/, '')]),
    );
    const section = version.endsWith('-dev')
      ? here.changelog.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${here.version} - 2026-12-01`)
      : here.changelog.replace(/^## Unreleased\n.*?(?=^## )/ms, '## Unreleased\n\n');
    assert.match(releaseNotes({ ...here, stated, changelog: section, tags: [] }), /^### Before you upgrade\n/);
  });

  test('is the latest in the changelog, or what is built here comes after it and says that it is under development', async () => {
    const changelog = await readFile(new URL('CHANGELOG.md', root), 'utf8');
    const latest = /^## (\d+\.\d+\.\d+) - /m.exec(changelog)?.[1] ?? '';
    if (version !== latest) {
      assert.match(version, /^\d+\.\d+\.\d+-dev$/);
      assert.ok(isOlder(latest, version));
    }
    const readme = await readFile(new URL('README.md', root), 'utf8');
    assert.deepEqual(
      [...readme.matchAll(/--branch v(\S+?)`/g)].map(([, one]) => one),
      [latest],
    );
  });
});
