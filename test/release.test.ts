import assert from 'node:assert/strict';
import { readdir, readFile, stat } from 'node:fs/promises';
import { suite, test } from 'node:test';
import { parse } from 'yaml';
import { type Release, releaseNotes, releaseOf } from '../build/release.ts';
import { version } from '../src/platform/settings/version.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

const root = new URL('../', import.meta.url);
const folder = new URL('.github/workflows/', root);
const workflow = async (name: string): Promise<Workflow> => parse(await readFile(new URL(name, folder), 'utf8'));
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const runs = (found: Workflow): string[] => stepsOf(found).flatMap(({ run }) => run ?? []);

suite('workflows', () => {
  test('every push and pull request runs .ci/run and no other command, with the whole history', async () => {
    const ci = await workflow('ci.yml');
    assert.deepEqual(Object.keys(ci.on).sort(), ['pull_request', 'push']);
    assert.deepEqual(ci.permissions, { contents: 'read' });
    assert.deepEqual(runs(ci), ['.ci/run']);
    assert.equal(stepsOf(ci)[0]?.with?.['fetch-depth'], 0);
    assert.ok((await stat(new URL('.ci/run', root))).mode & 0o100, 'it can be executed');
  });

  test('a release is made by hand: its version is checked first, and it is published only after .ci/run has passed', async () => {
    const release = await workflow('release.yml');
    assert.deepEqual(Object.keys(release.on), ['workflow_dispatch']);
    const [check, ci, pack, publish, ...more] = runs(release);
    assert.match(check ?? '', /^node build\/release\.ts "\$VERSION" > /);
    assert.equal(ci, '.ci/run');
    assert.equal(pack, 'npm run sdk');
    assert.match(publish ?? '', /^gh release create "v\$VERSION" --target "\$GITHUB_SHA" .*--notes-file/);
    assert.deepEqual(more, []);
    const artifact = stepsOf(release).find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
    assert.equal(artifact?.with?.path, 'wayfare-sdk-*.tgz\nwayfare-sdk-php-*.zip\nwayfare_sdk-*\n');
    assert.match(publish ?? '', / wayfare-sdk-\*\.tgz wayfare-sdk-php-\*\.zip wayfare_sdk-\*$/);
  });

  test('name each action by commit, and put no input into a command', async () => {
    for (const name of await readdir(folder)) {
      for (const { uses, run } of stepsOf(await workflow(name))) {
        if (uses) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/, name);
        if (run) assert.doesNotMatch(run, /\$\{\{/, name);
      }
    }
  });
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

  test('can be made of this checkout, once what is under Unreleased is in its section and its tag is new', () => {
    const here = releaseOf(version);
    const changelog = here.changelog.replace(/^## Unreleased\n.*?(?=^## )/ms, '## Unreleased\n\n');
    assert.match(releaseNotes({ ...here, changelog, tags: [] }), /^### Before you upgrade\n/);
  });
});
