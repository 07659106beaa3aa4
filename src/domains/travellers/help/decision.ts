import type { ProfileState } from '../../supply/port/port.ts';

/** What a traveller can say the phone shows, in the order of the question. */
export const symptoms = ['cannot_install', 'not_listed', 'no_signal', 'no_internet', 'slow', 'other'] as const;
export type Symptom = (typeof symptoms)[number];

/** Everything the answer depends on. */
export interface HelpFacts {
  readonly shows: Symptom;
  /** False: a new eSIM takes the place of the old one, and is not there yet. */
  readonly isDelivered: boolean;
  readonly hasEnded: boolean;
  readonly isSuspended: boolean;
  readonly profile: ProfileState;
  /** Data was used. */
  readonly wasUsed: boolean;
  /** Whether the plan is valid in the country where the eSIM was last seen; null: never seen, or not known. */
  readonly isCovered: boolean | null;
  readonly hasDataLeft: boolean;
  /** The supplier of the eSIM does not answer at the moment. */
  readonly isSupplierDown: boolean;
  /** The traveller has to enter an APN. */
  readonly needsApn: boolean;
}

export const steps = [
  'wait',
  'plan_ended',
  'paused',
  'removed',
  'already_installed',
  'retry_install',
  'install',
  'not_covered',
  'add_data',
  'outage',
  'switch_on',
  'set_apn',
  'turn_on_data',
  'find_network',
  'speed_up',
  'ask',
] as const;
export type Step = (typeof steps)[number];

/** One value, or any of several. A fact that is not named may be anything. */
type When = { readonly [Fact in keyof HelpFacts]?: HelpFacts[Fact] | readonly HelpFacts[Fact][] };

const offline = ['no_signal', 'no_internet', 'slow', 'other'] as const;

/**
 * "It doesn't work": what we know and what the traveller sees, and the one step that fits. The first row that matches counts, and the
 * last one always does. So what no setting of the phone can change comes first, then where the phone is, then the phone itself.
 */
export const table: readonly { readonly when: When; readonly step: Step }[] = [
  { when: { isDelivered: false }, step: 'wait' },
  { when: { hasEnded: true }, step: 'plan_ended' },
  { when: { isSuspended: true }, step: 'paused' },
  { when: { profile: 'deleted' }, step: 'removed' },

  // An eSIM can be installed once.
  { when: { shows: 'cannot_install', profile: ['released', 'unknown'] }, step: 'retry_install' },
  { when: { shows: 'cannot_install' }, step: 'already_installed' },
  { when: { profile: 'released' }, step: 'install' },
  { when: { shows: 'not_listed', profile: 'unknown' }, step: 'install' },

  // More data would not help in a country without coverage.
  { when: { shows: offline, isCovered: false }, step: 'not_covered' },
  { when: { shows: offline, hasDataLeft: false }, step: 'add_data' },
  { when: { shows: offline, isSupplierDown: true }, step: 'outage' },

  { when: { shows: 'not_listed' }, step: 'switch_on' },
  { when: { profile: ['downloaded', 'disabled'] }, step: 'switch_on' },
  // Some suppliers never say more than `installed`; if data was used, it was on.
  { when: { profile: 'installed', wasUsed: false }, step: 'switch_on' },

  { when: { shows: 'no_signal' }, step: 'find_network' },
  { when: { shows: 'no_internet', needsApn: true }, step: 'set_apn' },
  { when: { shows: 'no_internet' }, step: 'turn_on_data' },
  { when: { shows: 'slow' }, step: 'speed_up' },
  { when: {}, step: 'ask' },
];

const matches = (when: When, facts: HelpFacts): boolean =>
  Object.entries(when).every(([fact, wanted]) => [wanted].flat().includes(facts[fact as keyof HelpFacts]));

export const rowOf = (facts: HelpFacts): number => table.findIndex(({ when }) => matches(when, facts));

export const decide = (facts: HelpFacts): Step => table[rowOf(facts)]?.step ?? 'ask';

/** Steps after which a new eSIM would be no better. */
const notTheEsim: readonly Step[] = ['wait', 'plan_ended', 'paused', 'not_covered', 'add_data', 'outage'];

/** Whether a new eSIM may take the place of this one without a person's decision, where its partner allows it. */
export const isWorthReplacing = (facts: HelpFacts): boolean =>
  !facts.wasUsed && facts.isCovered !== false && !notTheEsim.includes(decide(facts));
