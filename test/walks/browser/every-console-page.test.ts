import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OperatorRole } from '../../../src/domains/partners/people/people.ts';
import {
  consoleDoors,
  consoleStates,
  ofOperatorRoles,
  plainConsolePages,
} from '../../support/browser/every-page/console-states.ts';
import { controls, operators } from '../../support/browser/every-page/page-checks.ts';
import { brokenSupplier, richInstallation } from '../../support/browser/every-page/rich-installation.ts';
import { type PageState, startWalk } from '../../support/browser/every-page/walk.ts';
import { noBrowser } from '../../support/browser/panel-browser.ts';
import { operatorLink } from '../../support/program/console.ts';
import { emptyStage, panelStage } from '../../support/program/panel-stage.ts';

test('every page of the console is accessible in both themes, fits a phone, can be touched there, and logs no errors', {
  skip: noBrowser,
}, async (t) => {
  await using stage = await panelStage({ config: { ...(await brokenSupplier()), site: operators } });
  const rich = await richInstallation(stage);
  const console = `${stage.url}/operator`;
  const walk = await startWalk(await stage.operate('admin'), console);
  const ofOperators = consoleStates(
    walk.patterns.filter((pattern) => !(pattern in consoleDoors(''))),
    rich,
  );

  await t.test('every route of the console has an address to look at', () => {
    const missing = Object.entries(ofOperators).flatMap(([pattern, states]) => (states ? [] : [pattern]));
    assert.deepEqual(missing, [], 'add it to test/support/browser/every-page/console-states.ts');
    assert.ok(walk.patterns.length > 10);
  });

  await t.test('an installation with data of every kind', async () => {
    for (const states of Object.values(ofOperators)) await walk.visit(states ?? []);
    assert.deepEqual(walk.found.filter(isNotRefusal), []);
  });

  await t.test('operators who are not signed in', async () => {
    const link = await operatorLink(stage.t, 'new@example.com', 'support');
    const stranger = await startWalk(await stage.browser.newContext(), `${console}/sign-in`);
    for (const state of Object.values(consoleDoors(link)).flat()) await stranger.look(state, 'thoroughly');
    assert.deepEqual(stranger.found, []);
  });

  await t.test('an empty installation', async () => {
    await using empty = await emptyStage({}, stage.browser);
    const first = await startWalk(await empty.operate('admin'), `${empty.url}/operator`);
    for (const state of plainConsolePages(first.patterns)) await first.glance(state, 'with axe');
    assert.deepEqual(first.found, []);
  });

  await t.test('a role sees no control that the server would refuse', async () => {
    const seen = {} as Record<OperatorRole, Set<string>>;
    for (const role of ['finance', 'support', 'read-only'] as const) {
      const operator = await startWalk(await stage.operate(role), console);
      seen[role] = new Set();
      for (const state of Object.values(ofOperators).flatMap((states) => states?.filter(hasOwnControls) ?? [])) {
        await operator.glance(state, 'without axe');
        for (const name of await controls(operator.page)) seen[role].add(`${state.address}: ${name}`);
      }
      for (const state of ofOperatorRoles(rich)) await operator.look(state, 'thoroughly');
      // A page that asks for what the role may not see is refused with a 403, which the browser logs.
      assert.deepEqual(operator.found.filter(isNotRefusal), [], role);
      await operator.page.context().close();
    }
    const { finance, support } = seen;
    const reading = seen['read-only'];
    const changing = [...reading].filter((control) => !isHarmless(control));
    assert.deepEqual(changing, [], 'for somebody who may only look');
    // Finance and support have nothing in common but looking, and sending members their links.
    const common = [...finance.intersection(support).difference(reading)];
    assert.deepEqual(
      common.filter(
        (control) => !isHarmless(control) && !/\?tab=members: (Invite|New link|Password link)$/.test(control),
      ),
      [],
    );
    assert.ok(finance.size > reading.size && support.size > reading.size);
  });
});

/** The browser itself logs every answer that says a partner or plan does not exist, and System shows the default of SITE_NAME. */
const isNotRefusal = (complaint: string): boolean =>
  !/404 \(Not Found\)|^\/operator\/system: says our name: Wayfare$/.test(complaint);

/** Each page once, with its tabs. */
const hasOwnControls = ({ address, act, actOnPhone }: PageState, i: number): boolean =>
  !act && !actOnPhone && (i === 0 || address.includes('tab='));

/** Whether it changes nothing but what is shown, or only the operator's own passkeys, password and second factor. */
const isHarmless = (control: string): boolean =>
  control.startsWith('/operator/security: ') ||
  /: (Search|Filters|Views|Remove this filter: .*|Clear|Older|Newer|Copy .*|Show\b.*|Nothing before .*|Zoom to .*|Dismiss: .*|Download.*|Print|Try again|See their panel|Demo Travel)$/.test(
    control,
  );
