import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { memberRoles, operatorRoles, type Role } from '../../src/domains/partners/people/people.ts';
import { endpoints } from '../../src/entry/api/endpoints.ts';
import { signedInOperator } from '../../test/support/program/console.ts';
import { browser, PASSWORD, signedInAs } from '../../test/support/program/panel.ts';
import { consoleAddresses, panelAddresses } from './addresses.ts';
import type { Attack } from './attack.ts';
import { everIssued, kinds, secretsIn } from './secrets.ts';
import type { AttackStage } from './stage.ts';
import type { Things } from './things.ts';
import { type Reach, type Reached, walk } from './walk.ts';

const DOCS = 'docs/threat-model.md';

/** What a role can reach with its own session, and with every link, key and view it obtained that way. */
interface TwoSteps {
  readonly role: string;
  readonly first: Reach['kinds'];
  readonly second: ReadonlySet<Reached>;
}

export const roles: Attack = {
  name: 'roles',
  tries: 'every role asks for every address, then again with every link, key and view that appeared',
  async run(attempt) {
    const { stage, things } = await attempt.scene();
    await things.tidy();
    const ofPanel = panelAddresses(things);
    // The catalog is the same for all, and reading it takes longer than everything else: in the long form everybody reads it once.
    const withoutCatalog = ofPanel.filter(({ name }) => !name.includes('/catalog/'));
    const ofKeys = endpoints.filter(
      ({ verb, path }) => verb === 'GET' && (attempt.size === 'long' || !path.startsWith('/catalog/')),
    );
    const second = (reach: Reach) => secondStep(stage, things, reach, ofKeys, once);
    const found: TwoSteps[] = [];
    // A link or a view opens the same for everybody; in the long form everybody tries all of it again.
    const known = new Map<string, Reach>();
    const once = async (who: string, cookie: string): Promise<Reach> => {
      const before = known.get(who);
      if (before && attempt.size === 'short') return before;
      const isFirst = attempt.size === 'long' && !before;
      const reach = await walk(stage, things, cookie, isFirst ? ofPanel : withoutCatalog);
      known.set(who, reach);
      return reach;
    };
    for (const role of operatorRoles.names) {
      const { cookie } = await signedInOperator(stage.t, role);
      const reach = await walk(stage, things, cookie, consoleAddresses(things));
      found.push({
        role: `operator, ${role}`,
        first: reach.kinds,
        second: await second(reach),
      });
      attempt.held(`operator, ${role}: ${reach.answered} of ${reach.requests} requests answered`);
      await things.tidy();
    }
    for (const role of memberRoles.names) {
      const { cookie } = await signedInAs(stage.t, stage.demo.partnerId, role);
      const reach = await once(`${role} member`, cookie);
      found.push({ role: `member, ${role}`, first: reach.kinds, second: await second(reach) });
      attempt.held(`member, ${role}: ${reach.answered} of ${reach.requests} requests answered`);
      await things.tidy();
    }
    const table = tableOf(found);
    const text = await readFile(DOCS, 'utf8');
    assert.equal(inDocs(text), table, `${DOCS} must say what each role reaches:\n\n${table}\n\n${waysOf(found)}`);
    attempt.held(`each role reaches what ${DOCS} says, and nothing else`);
  },
};

/** Uses everything that was found: follows links, sends keys, opens views. */
async function secondStep(
  { t }: AttackStage,
  things: Things,
  { texts }: Reach,
  ofKeys: typeof endpoints,
  once: (who: string, cookie: string) => Promise<Reach>,
): Promise<Set<Reached>> {
  const all = texts.join('\n');
  const reached = new Set<Reached>();
  const add = (more: Iterable<Reached>) => {
    for (const one of more) reached.add(one);
  };
  // Keys first: the next role's run revokes those made before.
  for (const key of new Set(all.match(/\besk_(test_)?[0-9a-f]{40}\b/g) ?? [])) add(await withKey(things, key, ofKeys));
  const tokens = new Set(all.match(/(?<!operator)\/welcome#wfl_[\w-]{43}/g) ?? []);
  const followed = new Set<Role>();
  for (const link of tokens) {
    const guest = browser(t);
    const { status } = await guest.post('/api/welcome', { token: link.split('#')[1], password: PASSWORD });
    const role: Role | undefined = status === 200 ? (await guest.get('/api/me')).body.member.role : undefined;
    if (role === undefined || followed.has(role)) continue;
    followed.add(role);
    add((await once(`${role} member`, guest.cookie)).kinds.keys());
  }
  for (const link of new Set(all.match(/\/operator\/welcome#wfl_[\w-]{43}/g) ?? [])) {
    const guest = browser(t);
    const { status } = await guest.post('/operator/api/welcome', { token: link.split('#')[1], password: PASSWORD });
    if (status === 200) reached.add('session');
  }
  for (const cookie of new Set(all.match(/wayfare_session=wfv_[\w-]{43}/g) ?? []))
    add((await once('viewer', cookie)).kinds.keys());
  return reached;
}

/** Everything the API shows to a key. */
async function withKey({ t, ids }: Things, key: string, asked: typeof endpoints): Promise<Set<Reached>> {
  const mode = key.startsWith('esk_test_') ? 'sandbox' : 'live';
  const issued = await everIssued(t);
  const found = new Set<Reached>();
  for (const { path, verb, param } of asked) {
    const kind = /^\/esim|usage$/.test(path) ? 'iccid' : path.startsWith('/order') ? 'orders' : 'product';
    const { text } = await t.get(path.replace('/{id}', '') + (param ? `/${ids[mode][kind]}` : ''), {
      key,
      method: verb,
    });
    for (const one of secretsIn(text, issued)) found.add(one);
  }
  return found;
}

const order: readonly string[] = [...kinds, 'events at their address'];

function list(found: ReadonlySet<Reached>): string {
  const mailed = [...found].flatMap((one) =>
    one.startsWith('mailed link: ') ? [one.slice('mailed link: '.length)] : [],
  );
  const links = mailed.length === 0 ? [] : [`mailed links (${mailed.sort().join(', ')})`];
  return [...order.filter((one) => found.has(one as Reached)), ...links].join(', ') || 'nothing';
}

const waysOf = (found: readonly TwoSteps[]): string =>
  found
    .flatMap(({ role, first }) =>
      [...first].map(([kind, ways]) => `${role} reaches ${kind} by ${[...ways].slice(0, 5).join(', ')}`),
    )
    .join('\n');

function tableOf(found: readonly TwoSteps[]): string {
  const rows = found.map(({ role, first, second }) => [
    role,
    list(new Set(first.keys())),
    list(second.difference(new Set(first.keys()))),
  ]);
  return [['Role', 'With its own session', 'In two steps, also'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

/** The table below its heading, with the spaces a formatter adds taken out. */
const inDocs = (text: string): string =>
  (text.split('## What each role can reach')[1] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(0, 2 + operatorRoles.names.length + memberRoles.names.length)
    .map((line) =>
      line
        .replaceAll(/ *\| */g, ' | ')
        .replaceAll(/-{3,}/g, '---')
        .trim(),
    )
    .join('\n');
