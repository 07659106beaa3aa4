import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { actions } from '../../../src/actions/actions.ts';
import type { Services } from '../../../src/entry/api/endpoint.ts';
import { backupCommands } from '../../../src/entry/cli/backup.ts';
import { clientCommands } from '../../../src/entry/cli/client-commands.ts';
import type { OperatorAction } from '../../../src/entry/console/action.ts';
import { consoleActions } from '../../../src/entry/console/api.ts';
import { testApp } from '../../support/program/app.ts';
import { readSources } from '../../support/sources.ts';

const t = await testApp();
after(() => t[Symbol.asyncDispose]());

const runnable = actions.filter(({ console: rule }) => rule !== 'shown' && 'may' in rule);

test('every command can be run in the console, is shown there, or says why it is left to the command line', () => {
  for (const command of [...actions, ...backupCommands, ...clientCommands]) {
    const rule = command.console;
    if (rule === 'shown') continue;
    if ('never' in rule) assert.ok(rule.never.length > 15, `${command.name}: say why`);
    else assert.ok(actions.includes(command), `${command.name} has no address in the console`);
  }
});

test('every change the console makes is a command, or says why the command line has none for it', () => {
  const actions = consoleActions(t.base, {} as Services).filter((action) => action.signedIn) as OperatorAction[];
  const addresses = new Set(runnable.map(({ name }) => `/operator/api/run/${name.replaceAll(' ', '/')}`));
  const changes = actions.filter(({ verb }) => verb === 'POST');
  for (const { path, noCommand } of changes) {
    if (addresses.has(path)) assert.equal(noCommand, undefined, `${path} is a command`);
    else assert.ok((noCommand ?? '').length > 15, `${path} has no command: say why in noCommand`);
  }
  const served = new Set<string>(changes.map(({ path }) => path));
  assert.deepEqual(
    [...addresses].filter((path) => !served.has(path)),
    [],
  );
});

test('every action that can be run in the console is run by a page', () => {
  const pages = readSources('web/src').filter(({ path }) => path.startsWith('console/'));
  const isNamed = (name: string) => pages.some(({ text }) => text.includes(`'${name}'`) || text.includes(`"${name}"`));
  assert.deepEqual(
    runnable.map(({ name }) => name).filter((name) => !isNamed(name)),
    [],
  );
});
