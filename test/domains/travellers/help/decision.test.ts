import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { languages } from '../../../../src/domains/messages/texts/texts.ts';
import { profileStates } from '../../../../src/domains/supply/port/port.ts';
import {
  decide,
  type HelpFacts,
  isWorthReplacing,
  rowOf,
  type Step,
  steps,
  symptoms,
  table,
} from '../../../../src/domains/travellers/help/decision.ts';

/** An eSIM that ought to work: installed, turned on, in a covered country, with data left. */
const fine: HelpFacts = {
  shows: 'other',
  isDelivered: true,
  hasEnded: false,
  isSuspended: false,
  profile: 'enabled',
  wasUsed: true,
  isCovered: true,
  hasDataLeft: true,
  isSupplierDown: false,
  needsApn: false,
};

/** For each row of the table, in its order: what differs from an eSIM that ought to work, and the step. */
const rows: readonly (readonly [rule: string, Partial<HelpFacts>, Step])[] = [
  ['a new eSIM that is not there yet is waited for', { isDelivered: false }, 'wait'],
  ['a plan that has ended needs a new one', { hasEnded: true }, 'plan_ended'],
  ['a suspended eSIM needs a person', { isSuspended: true }, 'paused'],
  ['a deleted eSIM cannot be put back', { profile: 'deleted' }, 'removed'],
  [
    'an eSIM that was never downloaded is installed by hand',
    { shows: 'cannot_install', profile: 'released' },
    'retry_install',
  ],
  [
    'one that is on a phone cannot be installed again',
    { shows: 'cannot_install', profile: 'installed' },
    'already_installed',
  ],
  ['one that is on no phone is installed first', { shows: 'no_signal', profile: 'released' }, 'install'],
  [
    'one that is not found, and of which nothing is known, is installed',
    { shows: 'not_listed', profile: 'unknown' },
    'install',
  ],
  ['outside its countries a plan does not work', { shows: 'no_internet', isCovered: false }, 'not_covered'],
  ['without data there is no internet', { shows: 'slow', hasDataLeft: false }, 'add_data'],
  ['an outage is waited for', { shows: 'no_signal', isSupplierDown: true }, 'outage'],
  ['one that is on the phone but not found is turned on', { shows: 'not_listed' }, 'switch_on'],
  ['one that is turned off is turned on', { shows: 'no_signal', profile: 'disabled' }, 'switch_on'],
  [
    'one that is installed and was never used is turned on',
    { shows: 'no_internet', profile: 'installed', wasUsed: false },
    'switch_on',
  ],
  ['without a signal the phone looks for a network', { shows: 'no_signal' }, 'find_network'],
  ['without internet the APN comes first, if one is needed', { shows: 'no_internet', needsApn: true }, 'set_apn'],
  ['otherwise the eSIM has to carry the data', { shows: 'no_internet' }, 'turn_on_data'],
  ['a slow connection is made again', { shows: 'slow' }, 'speed_up'],
  ['anything else needs a person', { shows: 'other' }, 'ask'],
];

suite('the table, row by row', () => {
  for (const [n, [rule, facts, step]] of rows.entries())
    test(rule, () => {
      assert.equal(decide({ ...fine, ...facts }), step);
      assert.equal(rowOf({ ...fine, ...facts }), n);
    });

  test('every row has its rule', () => assert.equal(rows.length, table.length));
});

const bools = [true, false];
const all: HelpFacts[] = [
  ...(function* combinations(): Generator<HelpFacts> {
    for (const shows of symptoms)
      for (const profile of profileStates)
        for (const isCovered of [true, false, null])
          for (let bits = 0; bits < 2 ** 7; bits += 1) {
            const [isDelivered, hasEnded, isSuspended, wasUsed, hasDataLeft, isSupplierDown, needsApn] = Array.from(
              { length: 7 },
              (_, bit) => bools[(bits >> bit) & 1],
            ) as boolean[];
            yield {
              ...{ shows, profile, isCovered },
              ...{ isDelivered, hasEnded, isSuspended, wasUsed, hasDataLeft, isSupplierDown, needsApn },
            } as HelpFacts;
          }
  })(),
];

test('every combination of facts has a step, and every step and row is the answer to some', () => {
  assert.equal(all.length, 6 * 7 * 3 * 128);
  assert.deepEqual(new Set(all.map(decide)), new Set(steps));
  assert.deepEqual(
    [...new Set(all.map(rowOf))].sort((a, b) => a - b),
    table.map((_row, n) => n),
  );
});

test('a new eSIM is never offered for one that was used, is seen outside its countries, or would be no better', () => {
  const offered = all.filter(isWorthReplacing);
  assert.ok(offered.length > 0);
  for (const facts of offered) {
    assert.ok(!facts.wasUsed && facts.isCovered !== false, JSON.stringify(facts));
    assert.ok(facts.isDelivered && !facts.hasEnded && !facts.isSuspended, JSON.stringify(facts));
  }
  assert.ok(isWorthReplacing({ ...fine, shows: 'no_signal', wasUsed: false }), 'seen in a covered country');
  assert.ok(isWorthReplacing({ ...fine, profile: 'deleted', isCovered: null, wasUsed: false }), 'never seen');
});

test('every answer and every choice has its text in each of the ten languages, and no text is left over', () => {
  assert.equal(Object.keys(languages).length, 10);
  for (const [code, { help }] of Object.entries(languages)) {
    assert.deepEqual(Object.keys(help.symptoms), [...symptoms], code);
    assert.deepEqual(Object.keys(help.steps), [...steps], code);
    const titles = Object.values(help.steps).map(({ title }) => title);
    assert.equal(new Set(titles).size, steps.length, code);
    for (const [step, { title, text }] of Object.entries(help.steps)) {
      assert.ok(title.length > 1 && title.length <= 60 && text.length > 10, `${code} ${step}`);
      assert.equal(text.includes('{place}'), step === 'not_covered', `${code} ${step}`);
    }
    assert.ok(help.ask.tooLong.includes('{count}') && help.mail.subjectOf.includes('{name}'), code);
  }
});
