import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { argv, stderr, stdout } from 'node:process';

/** What has to agree before a version is released. */
export interface Release {
  readonly version: string;
  /** The version that each file states. */
  readonly stated: Readonly<Record<string, string>>;
  readonly changelog: string;
  readonly tags: readonly string[];
}

/** The release's notes: its section of the changelog. Throws if the version, the tags and the changelog do not agree. */
export function releaseNotes({ version, stated, changelog, tags }: Release): string {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version such as 0.2.0`);
  for (const [file, found] of Object.entries(stated))
    if (found !== version) throw new Error(`${file} says ${found}, not ${version}`);
  if (tags.includes(`v${version}`)) throw new Error(`the tag v${version} exists already`);
  const [, ...sections] = changelog.split(/^## /m);
  const [unreleased, latest] = sections.map((section) => {
    const end = section.indexOf('\n');
    return { title: section.slice(0, end).trim(), text: section.slice(end).trim() };
  });
  if (unreleased?.title !== 'Unreleased') throw new Error('the changelog does not begin with a section Unreleased');
  if (unreleased.text !== '') throw new Error('the changelog still has changes under Unreleased');
  if (!latest || !RegExp(`^${version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`).test(latest.title))
    throw new Error(`the changelog's latest section is "${latest?.title}", not "${version} - <date>"`);
  if (latest.text === '') throw new Error(`the changelog says nothing about ${version}`);
  return latest.text;
}

const ROOT = new URL('..', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, ROOT), 'utf8');

/** This checkout, as it would be released. */
export function releaseOf(version: string): Release {
  const lock = JSON.parse(read('package-lock.json'));
  return {
    version,
    stated: {
      'package.json': JSON.parse(read('package.json')).version,
      'package-lock.json': lock.version,
      'sdk/package.json': JSON.parse(read('sdk/package.json')).version,
    },
    changelog: read('CHANGELOG.md'),
    tags: execFileSync('git', ['tag', '--list'], { cwd: ROOT, encoding: 'utf8' }).split('\n'),
  };
}

/** `node build/release.ts 0.2.0` prints the notes, or says what does not agree. */
if (import.meta.main) {
  try {
    stdout.write(`${releaseNotes(releaseOf(argv[2] ?? ''))}\n`);
  } catch (error) {
    stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
