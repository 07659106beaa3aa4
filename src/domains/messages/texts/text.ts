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
  readonly missing: { readonly title: string; readonly text: string };
  readonly regions: Readonly<Record<Region, string>>;
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
