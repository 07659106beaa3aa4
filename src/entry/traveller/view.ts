import type { Language } from '../../domains/messages/texts/texts.ts';
import type { SharedEsim } from '../../domains/travellers/travellers.ts';

/** Which phone the page is read on, as far as the browser says. */
export type Device = 'iphone' | 'android' | 'other';

/** What the catalog says about the plan. Null: nothing, or the plan is gone. */
export interface PlanNotes {
  /** The destination's English name, for places without one of ours. */
  readonly place: string | null;
  readonly startsOnInstall: boolean;
  readonly isRoaming: boolean | null;
  readonly apn: string | null;
  readonly warning: string | null;
}

export interface View {
  readonly shared: SharedEsim;
  readonly notes: PlanNotes;
  readonly language: Language;
  readonly device: Device;
  /** The address of the page, which others begin with; null: a preview, from which nothing can be fetched. */
  readonly path: string | null;
  /** Account time. */
  readonly now: number;
}
