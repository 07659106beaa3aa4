import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sign, signingKey } from '../../../src/domains/messages/webhooks/send/signature.ts';
import { testFolder } from '../../support/database/folder.ts';
import { debianBinary, type Program } from '../../support/debian/debian.ts';

const example = (name: string): string => fileURLToPath(new URL(`../../../examples/verify/${name}`, import.meta.url));

interface Case {
  readonly title: string;
  readonly genuine: boolean;
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
}

const [NEW, OLD] = [`whsec_${'a1'.repeat(32)}`, `whsec_${'b2'.repeat(32)}`];
const json = '{"event":"order.paid","note":"\u00e9 \u{1f600}"}';

/** As the server signs: `by` is the current secret and, while it is rotated, the one before. */
function signed(body: string, secondsAgo: number, by: string, ...before: string[]): Record<string, string> {
  const keys = [signingKey(by), ...before.map(signingKey)] as const;
  const { timestamp, signature } = sign(keys, 'order.paid:1:1', body, Date.now() - secondsAgo * 1000);
  return { 'X-Webhook-Timestamp': timestamp, 'X-Signature': signature };
}

const cases = (): Case[] => {
  const body = Buffer.from(json);
  const good = signed(json, 0, NEW);
  const one = (title: string, genuine: boolean, headers: Case['headers'], more: Partial<Case> = {}): Case => ({
    ...{ title, genuine, body, headers, secrets: [NEW] },
    ...more,
  });
  return [
    one('a fresh one', true, good),
    one('four minutes old', true, signed(json, 240, NEW)),
    one('in a rotation, with both secrets', true, signed(json, 0, NEW, OLD), { secrets: [NEW, OLD] }),
    one('after a rotation, with both secrets', true, good, { secrets: [OLD, NEW] }),
    one('in a rotation, with the new secret only', false, signed(json, 0, NEW, OLD)),
    one('another body', false, good, { body: Buffer.from(json.replace('paid', 'sent')) }),
    one('bytes that are not text', false, good, { body: Buffer.from([0xff, 0xfe, 0x00]) }),
    one('an empty body', true, signed('', 0, NEW), { body: Buffer.from('') }),
    one('another secret', false, good, { secrets: [OLD] }),
    one('no secret', false, good, { secrets: [] }),
    one('another signature', false, { ...good, 'X-Signature': `sha256=${'0'.repeat(64)}` }),
    one('a longer signature', false, { ...good, 'X-Signature': `${good['X-Signature']}0` }),
    one('a signature that is not ASCII', false, {
      ...good,
      'X-Signature': `${good['X-Signature']?.slice(0, -1)}\u00e9`,
    }),
    one('no signature', false, { 'X-Webhook-Timestamp': good['X-Webhook-Timestamp'] ?? '' }),
    one('no headers', false, {}),
    one('six minutes old', false, signed(json, 360, NEW)),
    one('six minutes ahead', false, signed(json, -360, NEW)),
    one('made younger', false, { ...signed(json, 360, NEW), 'X-Webhook-Timestamp': good['X-Webhook-Timestamp'] ?? '' }),
    ...['', '0x10', '1e9', '-1', 'NaN', ' 1', '99999999999999999999'].map((timestamp) =>
      one(`the timestamp "${timestamp}"`, false, { ...good, 'X-Webhook-Timestamp': timestamp }),
    ),
  ];
};

/** Runs a program that reads the cases and prints what the example says to each. */
async function verdicts(command: Program, args: readonly string[], cwd: string): Promise<[string, boolean][]> {
  const child = spawn(command.path, args, { cwd, env: { ...process.env, ...command.env } });
  const given = cases();
  child.stdin.end(JSON.stringify(given.map((one) => ({ ...one, body: one.body.toString('base64') }))));
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  assert.equal(code, 0, stderr);
  const answers: boolean[] = JSON.parse(stdout);
  assert.equal(answers.length, given.length);
  return given.map(({ title }, i) => [title, answers[i] ?? false]);
}

const wanted = (): [string, boolean][] => cases().map(({ title, genuine }) => [title, genuine]);

async function inPath(name: string): Promise<Program | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, name);
    if (await isProgram(path)) return { path, env: {} };
  }
  return undefined;
}

const isProgram = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

/** Fetched from Debian where it is not installed; a machine that can do neither skips the test. */
const orFetched = (name: 'php' | 'ruby' | 'go'): Promise<Program | undefined> =>
  debianBinary(name).catch(() => undefined);

interface Language {
  readonly name: string;
  readonly program: () => Promise<Program | undefined>;
  /** Writes what calls the example into the folder, and returns how to run it. */
  readonly driver: (folder: string) => Promise<readonly string[]>;
}

const written = async (folder: string, name: string, source: string): Promise<readonly string[]> => {
  await writeFile(join(folder, name), source);
  return [name];
};

const languages: Language[] = [
  {
    name: 'TypeScript',
    program: async () => ({ path: process.execPath, env: {} }),
    driver: (folder) =>
      written(
        folder,
        'driver.ts',
        `import { json } from 'node:stream/consumers';
import { isGenuine } from '${example('verify.ts')}';
const lower = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const cases = await json(process.stdin);
console.log(JSON.stringify(cases.map(({ body, headers, secrets }) =>
  isGenuine(Buffer.from(body, 'base64'), lower(headers), ...secrets))));
`,
      ),
  },
  {
    name: 'Python',
    program: () => inPath('python3'),
    driver: (folder) =>
      written(
        folder,
        'driver.py',
        `import base64, json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(example('.'))})
from verify import is_genuine
print(json.dumps([is_genuine(base64.b64decode(c["body"]), c["headers"], *c["secrets"]) for c in json.load(sys.stdin)]))
`,
      ),
  },
  {
    name: 'PHP',
    program: () => orFetched('php'),
    driver: (folder) =>
      written(
        folder,
        'driver.php',
        `<?php
require ${JSON.stringify(example('verify.php'))};
$cases = json_decode(file_get_contents('php://stdin'), true);
echo json_encode(array_map(fn ($c) => isGenuine(base64_decode($c['body']), $c['headers'], ...$c['secrets']), $cases));
`,
      ),
  },
  {
    name: 'Go',
    program: () => orFetched('go'),
    async driver(folder) {
      await mkdir(join(folder, 'webhook'));
      await copyFile(example('verify.go'), join(folder, 'webhook/verify.go'));
      await writeFile(join(folder, 'go.mod'), 'module check\n\ngo 1.19\n');
      await written(
        folder,
        'main.go',
        `package main

import (
	"check/webhook"
	"encoding/json"
	"net/http"
	"os"
)

type one struct {
	Body    []byte
	Headers map[string]string
	Secrets []string
}

func main() {
	var cases []one
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	answers := []bool{}
	for _, c := range cases {
		header := http.Header{}
		for name, value := range c.Headers {
			header.Set(name, value)
		}
		answers = append(answers, webhook.IsGenuine(c.Body, header, c.Secrets...))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
`,
      );
      return ['run', '.'];
    },
  },
  {
    name: 'Ruby',
    program: () => orFetched('ruby'),
    driver: (folder) =>
      written(
        folder,
        'driver.rb',
        `require "json"
require ${JSON.stringify(example('verify.rb'))}
puts JSON.generate(JSON.parse(STDIN.read).map { |c| genuine?(c["body"].unpack1("m"), c["headers"], *c["secrets"]) })
`,
      ),
  },
];

for (const { name, program, driver } of languages)
  test(`the ${name} example accepts what we sign and nothing else`, async (t) => {
    const found = await program();
    if (!found) return t.skip(`${name} is not installed here`);
    await using folder = await testFolder(0o700);
    assert.deepEqual(await verdicts(found, await driver(folder.path), folder.path), wanted());
  });
