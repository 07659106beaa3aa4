import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { actions } from '../../../src/actions/actions.ts';
import { backupCommands } from '../../../src/entry/cli/backup.ts';
import { findCommand, parseCommand, unknownCommand } from '../../../src/entry/cli/cli.ts';
import { clientCommands } from '../../../src/entry/cli/client-commands.ts';
import { help, usage, wordsOf } from '../../../src/entry/cli/help.ts';
import { notReached } from '../../../src/platform/db/database-errors.ts';
import { version } from '../../../src/platform/settings/version.ts';
import { newSecret } from '../../../src/platform/vault/secrets.ts';
import { testApp } from '../../support/program/app.ts';
import { wayfare } from '../../support/program/cli.ts';
import { run } from '../../support/program/operator.ts';

const secret = newSecret();
const t = await testApp({ secret });
after(() => t[Symbol.asyncDispose]());
const env = { DATABASE_URL: t.base.url, WAYFARE_SECRET: secret };
const cli = (...words: string[]) => wayfare(env, ...words);

// Each of these starts the whole program: as few as show the rule. What commands do is tested beside them, in process.
suite('the command line, in a process of its own beside a running server', () => {
  test('a partner and a key made there work here; --json is one document on stdout and nothing else', async () => {
    const partner = await cli('partner', 'create', '--name', 'Acme', '--email', 'a@example.com', '--json');
    assert.deepEqual([partner.code, partner.stderr], [0, '']);
    assert.deepEqual(Object.keys(partner.json), ['partner_id']);
    const made = await cli(
      'key',
      'create',
      '--partner',
      String(partner.json.partner_id),
      '--mode',
      'sandbox',
      '--json',
    );
    assert.deepEqual(Object.keys(made.json), ['key', 'key_id']);
    assert.equal((await t.get('/account/balance', { key: made.json.key })).body.balance, 1000);
  });

  test('a refusal: exit code 1 and {"error": code}', async () => {
    const { code, json } = await cli('--json', 'key', 'show', '99999');
    assert.deepEqual([code, json], [1, { error: 'key_not_found', message: 'this API key does not exist' }]);
  });

  test('a value that only the action can judge: exit code 2, as for any other wrong value', async () => {
    const partner = (await cli('partner', 'create', '--name', 'Values', '--email', 'v@example.com', '--json')).json;
    const id = String(partner.partner_id);
    const key = (await cli('key', 'create', '--partner', id, '--mode', 'sandbox', '--json')).json.key_id;
    for (const [words, error] of [
      [['key', 'set', String(key), '--limit', 'order=3x'], 'invalid_limit'],
      [['key', 'set', String(key), '--allow', 'nowhere'], 'invalid_allow_list'],
    ] as const) {
      const { code, json } = await cli(...words, '--json');
      assert.deepEqual([code, json.error], [2, error], words.join(' '));
    }
  });

  test('for a person: the reason and the usage on stderr, nothing on stdout', async () => {
    const { code, stdout, stderr } = await cli('key', 'create', '--partner', 'x', '--mode', 'live');
    assert.deepEqual([code, stdout], [2, ''], 'a command line that is wrong is not a refusal');
    assert.match(
      stderr,
      /--partner: "x" is not PARTNER_ID, a whole number\nusage: .*key create --partner PARTNER_ID --mode live\|sandbox/,
    );
  });

  test('no such command', async () => {
    const { code, json } = await wayfare({}, 'partner', 'craete', '--json');
    const message = 'there is no command "partner craete"; did you mean partner create?';
    assert.deepEqual([code, json], [2, { error: 'unknown_command', message }]);
    const asked = await wayfare({}, 'partner', 'craete', '--help');
    assert.deepEqual([asked.code, asked.stderr], [2, `wayfare: ${message}\n`]);
  });

  test('a database that cannot be reached, and a setting that cannot work, are named', async () => {
    const away = await wayfare(
      { DATABASE_URL: 'postgres://127.0.0.1:9/x', WAYFARE_SECRET: secret },
      'migrate',
      '--json',
    );
    assert.deepEqual([away.code, away.json.error], [1, 'failed']);
    assert.equal(
      away.json.message,
      'the database at 127.0.0.1:9/x cannot be reached: connect ECONNREFUSED 127.0.0.1:9 (DATABASE_URL names it)',
    );
    // Whatever a password looks like in an address, nothing of it is repeated.
    for (const password of ['hunter2', 'hunt@er2', 'hun/ter2', 'hunter2?x']) {
      const url = `postgres://wayfare:${password}@127.0.0.1:9/x?host=/nowhere/hush&password=hunter2`;
      const told = String(notReached(new Error('connect ENOENT'), url));
      assert.match(told, /the database at \/nowhere\/hush\/x cannot be reached: connect ENOENT$/);
      assert.doesNotMatch(told, /hun|ter2/);
    }
    const setting = await wayfare({ ...env, LIVE_BASE_URL: 'nonsense' }, 'migrate');
    assert.deepEqual([setting.code, setting.stderr], [1, 'wayfare: LIVE_BASE_URL must be an http or https address\n']);
    for (const url of ['nonsense', 'mysql://root:hunter2@db/x', 'postgres://']) {
      const wrong = await wayfare({ ...env, DATABASE_URL: url }, 'migrate');
      const message = 'DATABASE_URL must be an address like postgres://user:password@host:5432/database';
      assert.deepEqual([wrong.code, wrong.stderr], [1, `wayfare: ${message}\n`]);
    }
  });

  test('what the operating system refuses is one plain line', async () => {
    const missing = await wayfare(env, 'restore', '/nowhere/backup');
    assert.deepEqual(
      [missing.code, missing.stderr],
      [1, 'wayfare: /nowhere/backup: there is no such file or folder\n'],
    );
    const taken = createServer().listen(0);
    await once(taken, 'listening');
    const ports = {
      ...env,
      LISTEN_PORTS: String((taken.address() as AddressInfo).port),
      WAYFARE_DEMO: 'off',
      LOG_LEVEL: 'error',
    };
    const started = await wayfare(ports, 'start', '--role', 'api');
    taken.close();
    assert.equal(started.code, 1);
    assert.match(started.stderr, /^wayfare: port \d+ is in use by another program: .*LISTEN_PORTS\n$/);
  });

  test('a reader that stops reading, as head does, is no error', async () => {
    const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, 'partner', 'list'], { env: { PATH: process.env.PATH, ...env } });
    child.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    assert.deepEqual([code, stderr], [0, '']);
  });

  test('--version, in first place', async () => {
    const { code, stdout } = await wayfare({}, '--version');
    assert.deepEqual([code, stdout], [0, `wayfare ${version}\n`]);
    assert.deepEqual((await wayfare({}, '--version', '--json')).json, { version });
  });

  test('help needs no database', async () => {
    const { code, stdout } = await wayfare({}, 'key', 'create', '--help');
    assert.equal(code, 0);
    assert.match(stdout, /usage: npm run -s wayfare -- key create --partner PARTNER_ID/);
  });
});

/** Without line breaks. */
const flat = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ');

suite('help at every level', () => {
  test('all commands, each with its summary up to the first semicolon', () => {
    const text = flat(help(actions, []));
    for (const { name, summary } of actions) assert.ok(text.includes(` ${name} ${summary.split(';')[0]}`));
  });

  test('no line is longer than 80 characters', () => {
    const all = [...backupCommands, ...actions, ...clientCommands];
    const groups = all.map(wordsOf).flatMap((path) => path.map((_, i) => path.slice(0, i + 1)));
    for (const words of [[], ...groups])
      for (const line of (help(all, words) ?? '').split('\n')) assert.ok([...line].length <= 80, line);
  });

  test('words that begin no command have none', () => {
    assert.equal(help(actions, ['nonsense']), undefined);
  });

  test('one group', () => {
    const text = help(actions, ['key']);
    assert.match(text ?? '', /key create/);
    assert.doesNotMatch(text ?? '', /partner create/);
  });

  test('one command: usage, summary, and each argument and option with what it takes', () => {
    for (const command of actions) {
      const text = flat(help(actions, wordsOf(command)));
      assert.ok(text.includes(flat(usage(command))) && text.includes(command.summary));
      for (const [name, { summary }] of Object.entries({ ...command.options })) {
        assert.ok(text.includes(`--${name}`) && text.includes(summary), `${command.name} --${name}`);
      }
    }
  });
});

test('no command hides another, and none takes --json or --help for its own', () => {
  for (const command of actions) {
    assert.equal(findCommand(actions, wordsOf(command)), command);
    assert.deepEqual(
      Object.keys(command.options ?? {}).filter((name) => ['json', 'help'].includes(name)),
      [],
    );
  }
});

suite('a value that is not understood is named, with the values there are', () => {
  const refusal = (line: string): string => {
    const words = line.split(' ');
    const command = findCommand(actions, words);
    assert.ok(command, line);
    try {
      parseCommand(command, words.slice(wordsOf(command).length));
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error(`${line} was understood`);
  };
  for (const [line, message] of [
    ['order list --status lost', '--status: "lost" is not one of created, paid, deferred, delivered, failed, refunded'],
    ['key create --partner 1 --mode test', '--mode: "test" is not one of live, sandbox'],
    ['partner set 1 --billing cash', '--billing: "cash" is not one of prepaid, postpaid'],
    ['partner set 1 --disabled yes', '--disabled: "yes" is not true or false'],
    [
      'partner set 1 --margin-share 101',
      '--margin-share: "101" is not a percentage from 0 to 100 with at most two decimals, or none',
    ],
    ['order overdue --older-than 2w', '--older-than: "2w" is not a duration like 90s, 15m, 2h or 3d'],
    ['wallet credit --partner 1 --amount ten', '--amount: "ten" is not an amount like 12.50'],
    [
      'settle --now today',
      '--now: "today" is not a time like "2030-05-01 12:00:00" (UTC) or 2030-05-01T12:00:00+02:00',
    ],
    ['order show x', '"x" is not ORDER_ID, a whole number'],
    ['order show', 'ORDER_ID is missing'],
    ['route auto', 'on|off is missing'],
    ['order show ', 'ORDER_ID is empty'],
    ['partner create --name= --email a@b.c', '--name is empty'],
    ['partner create --name A', '--email is missing'],
    ['partner create --nmae A', 'there is no option --nmae; did you mean --name?'],
    ['partner list --frobnicate', 'there is no option --frobnicate'],
    ['partner list -x', 'there is no option -x'],
    ['partner create --email a@b.c --name', '--name needs a value'],
    ['partner create --name --email a@b.c', '--name needs a value; one that begins with "-" is written --name=--email'],
    ['catalog import x --yes=1', '--yes takes no value'],
    ['partner create --name A --name B', '--name is given twice'],
    ['partner list extra', '"extra" is one argument too many'],
  ] as const) {
    test(line, () => assert.equal(refusal(line), message));
  }

  test('an argument with many choices is missing under its name', () => {
    const trigger = clientCommands.find(({ name }) => name === 'trigger');
    assert.throws(() => parseCommand(trigger as never, []), { message: 'EVENT is missing' });
  });

  for (const [line, message] of [
    ['partner', /^"partner" needs one more word: create, set, .*show$/],
    ['catalog product', /^"catalog product" needs one more word: show, set$/],
    ['ordr list --limit 5', /^there is no command "ordr list"; did you mean order list\?$/],
    ['partners list', /did you mean partner list\?$/],
    ['key creat --partner 1', /did you mean key create\?$/],
    ['swizzle', /^there is no command "swizzle"; --help lists all$/],
    ['-x', /^there is no command "-x"; --help lists all$/],
  ] as const) {
    test(`no command: ${line}`, () => assert.match(unknownCommand(actions, line.split(' ')).message, message));
  }

  test('every choice of every command', () => {
    for (const { options = {}, name } of actions) {
      for (const [option, { placeholder, read }] of Object.entries(options)) {
        if (!/^[a-z_]+(\|[a-z_]+)+$/.test(placeholder)) continue;
        const named = (error: Error) => placeholder.split('|').every((value) => error.message.includes(value));
        assert.throws(() => read('nonsense'), named, `${name} --${option}`);
      }
    }
  });

  test('events and rate-limit tiers, which are lists', async () => {
    const operator = t.operator();
    const partner = await t.partner();
    const hook = `webhook create --partner ${partner} --mode live --url https://93.184.215.14/ --events order.lost`;
    await assert.rejects(run(operator, hook), /"order\.lost" is not one of order\.created, .*order\.test/);
    const { key_id } = await run(operator, `key create --partner ${partner} --mode live`);
    await assert.rejects(run(operator, `key set ${key_id} --ceilings buy=5`), /"buy=5" .* tiers are .*purchase/);
  });
});
