/**
 * What the traveller's page says, and the mail that brings its link. Each language has a file of its own; one that leaves something out does not
 * compile. `{…}` is replaced: by a place, an amount of data, a time, a name.
 */
export interface Texts {
  /** BCP 47, for `lang`, numbers, dates and names of countries. */
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  /** The language's own name. */
  readonly name: string;
  /** The label of the language menu. */
  readonly language: string;
  readonly title: string;
  readonly testNotice: string;
  readonly data: string;
  readonly validity: string;
  readonly unlimited: string;
  readonly states: Readonly<Record<'not_active' | 'active' | 'depleted' | 'expired', string>>;
  readonly usage: {
    readonly title: string;
    readonly left: string;
    readonly used: string;
    readonly timeLeft: string;
    readonly validUntil: string;
    /** When the figures were read. */
    readonly asOf: string;
    /** The same when that was long ago, or when there is no connection. */
    readonly old: string;
    readonly startsOnUse: string;
    readonly startsOnInstall: string;
    readonly depleted: string;
    readonly expired: string;
    /** A link to the partner's shop. */
    readonly refill: string;
  };
  readonly install: {
    readonly title: string;
    /** The same part of the page once the eSIM is in use, folded away. */
    readonly again: string;
    readonly before: string;
    readonly phone: string;
    readonly iphone: Phone;
    readonly android: Phone;
  };
  readonly qr: {
    readonly title: string;
    /** Read on a computer. */
    readonly scan: string;
    /** Read on the phone that would have to scan its own screen. */
    readonly elsewhere: string;
    readonly label: string;
  };
  /** Whether a phone takes eSIMs, by our list of models. */
  readonly device: {
    readonly title: string;
    readonly model: string;
    readonly check: string;
    /** Above the models that match. */
    readonly found: string;
    readonly more: string;
    readonly missing: string;
    readonly sure: string;
  };
  readonly manual: {
    readonly title: string;
    readonly smdp: string;
    readonly activation: string;
    readonly confirmation: string;
    readonly whole: string;
    readonly copy: string;
    readonly copied: string;
  };
  readonly connect: {
    readonly title: string;
    readonly roamingOn: string;
    readonly roamingOff: string;
    readonly apnAutomatic: string;
    readonly apn: string;
    readonly trouble: string;
    readonly tries: readonly [string, string, string];
  };
  readonly support: string;
  readonly supportOf: string;
  readonly keepPrivate: string;
  readonly noTracking: string;
  /** The mail that brings the link to the page. */
  readonly mail: {
    readonly subject: string;
    readonly subjectOf: string;
    readonly here: string;
    readonly keepPrivate: string;
    readonly help: string;
    readonly sentBy: string;
  };
  /** "It doesn't work": the question, the answers (`domains/travellers/help/decision.ts`), and asking for help. */
  readonly help: {
    /** On the page of the eSIM. */
    readonly button: string;
    readonly question: string;
    readonly symptoms: Readonly<
      Record<'cannot_install' | 'not_listed' | 'no_signal' | 'no_internet' | 'slow' | 'other', string>
    >;
    readonly steps: Readonly<Record<HelpStep, HelpText>>;
    readonly notSolved: string;
    readonly otherProblem: string;
    readonly back: string;
    readonly ask: HelpText & {
      readonly email: string;
      readonly message: string;
      readonly send: string;
      readonly invalidEmail: string;
      readonly tooLong: string;
    };
    readonly sent: HelpText;
    /** Three requests were sent today. */
    readonly limit: HelpText;
    /** The form is too old, or was sent from another site. */
    readonly sendAgain: string;
    readonly replace: HelpText & { readonly button: string };
    readonly replaced: HelpText;
    readonly replaceRequested: HelpText;
    readonly notReplaced: HelpText;
    /** The mail that answers a request. */
    readonly mail: { readonly subject: string; readonly subjectOf: string; readonly page: string };
  };
  readonly missing: HelpText;
  readonly regions: Readonly<Record<Region, string>>;
}

export type HelpStep =
  | 'wait'
  | 'plan_ended'
  | 'paused'
  | 'removed'
  | 'already_installed'
  | 'retry_install'
  | 'install'
  | 'not_covered'
  | 'add_data'
  | 'outage'
  | 'switch_on'
  | 'set_apn'
  | 'turn_on_data'
  | 'find_network'
  | 'speed_up'
  | 'ask';

interface HelpText {
  readonly title: string;
  readonly text: string;
}

interface Phone {
  readonly button: string;
  readonly needs: string;
  readonly steps: readonly [string, string, string, string];
}

/** Destinations that are not countries. */
export type Region =
  | 'europe'
  | 'asia'
  | 'middle-east'
  | 'africa'
  | 'north-america'
  | 'latin-america'
  | 'caribbean'
  | 'oceania'
  | 'global';

/** `fill('{left} of {total}', { left: '1 GB', total: '3 GB' })` */
export const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
