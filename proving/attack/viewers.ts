import assert from 'node:assert/strict';
import { type OperatorRole, operatorRoles } from '../../src/domains/partners/people/people.ts';
import { signedInOperator } from '../../test/support/program/console.ts';
import { browser, signedInAs } from '../../test/support/program/panel.ts';
import { panelAddresses } from './addresses.ts';
import type { Attack } from './attack.ts';
import type { AttackStage } from './stage.ts';
import type { Things } from './things.ts';
import { walk } from './walk.ts';

/** The cookie of an operator of this role who is viewing the demo partner's panel. */
export async function viewOf({ t, demo }: AttackStage, role: OperatorRole): Promise<string> {
  const operator = await signedInOperator(t, role);
  const view = Object.assign(browser(t), { cookie: operator.cookie });
  assert.equal((await view.post(`/operator/api/partners/${demo.partnerId}/view`)).status, 200);
  return view.cookie;
}

export const viewers: Attack = {
  name: 'viewers',
  tries: 'an operator who looks at a partner’s panel reads every address, for any code, secret or key there ever was',
  async run(attempt) {
    const { stage, things } = await attempt.scene();
    const addresses = panelAddresses(things);
    // The partner's own member does find them, so the search works.
    const ofOrders = addresses.filter(({ name }) => !name.includes('/catalog/'));
    const own = await walk(
      stage,
      things,
      (await signedInAs(stage.t, stage.demo.partnerId, 'read-only')).cookie,
      ofOrders,
    );
    for (const kind of ['activation data', 'traveller’s link', 'QR address'] as const)
      assert.ok(own.kinds.has(kind), `a member sees ${kind}`);
    for (const role of attempt.size === 'short' ? (['read-only'] as const) : operatorRoles.names) {
      const reach = await walk(stage, things, await viewOf(stage, role), addresses);
      assert.deepEqual(Object.fromEntries(reach.kinds), {}, `seen by an operator who is ${role}`);
      assert.ok(reach.answered > 60, `only ${reach.answered} addresses answered`);
      attempt.held(`${role}: ${reach.answered} of ${reach.requests} addresses answered, no secret in any of them`);
    }
    await onlyKnownBlanks(stage, things);
    attempt.held('what is blank for a viewer is what is known to be: a new field is noticed');
  },
};

/** Fields that a member sees and a viewer does not. A new one has to be named in its action's `viewed`, or here. */
const BLANK = new Set([
  'payload',
  'request_headers',
  'response_headers',
  'response_body',
  'url',
  'share_url',
  'qrcode',
  'qrcode_url',
  'lpa',
  'smdpAddress',
  'activationCode',
  'matching_id',
  'confirmation_code',
  'direct_apple_installation_url',
  'apple_url',
  'android_url',
  // What a traveller wrote who asked for help, and what was answered.
  'email',
  'message',
  'answer',
  // About the signed-in member: a viewing operator has none.
  'accounts',
]);

async function onlyKnownBlanks(stage: AttackStage, things: Things): Promise<void> {
  const { t, demo } = stage;
  const member = await signedInAs(t, demo.partnerId, 'read-only');
  const view = Object.assign(browser(t), { cookie: await viewOf(stage, 'support') });
  for (const address of panelAddresses(things).filter(
    ({ verb, name }) => verb === 'GET' && !name.includes('/v3/catalog/'),
  )) {
    const [seen, shown] = [(await address.ask(member)).body, (await address.ask(view)).body];
    if (shown?.error) continue;
    for (const name of missing(seen, shown))
      assert.ok(
        BLANK.has(name),
        `${address.name}: ${name} is blank for viewers; say in its action whether they may see it`,
      );
  }
}

/** The names of fields that are blank in the second value only. */
function missing(seen: unknown, shown: unknown): string[] {
  if (seen === null || typeof seen !== 'object' || shown === null || typeof shown !== 'object') return [];
  return Object.entries(seen).flatMap(([name, value]) => {
    const other = (shown as Readonly<Record<string, unknown>>)[name];
    const isBlank = other === '' || other === null || (Array.isArray(other) && other.length === 0);
    const hasValue = value !== '' && value !== null && !(Array.isArray(value) && value.length === 0);
    return isBlank && hasValue ? [name] : missing(value, other);
  });
}
