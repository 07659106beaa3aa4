import type { Language } from '../../domains/messages/texts/texts.ts';
import type { SharedEsim } from '../../domains/travellers/travellers.ts';
import type { notesOf } from './traveller.ts';

/** Which phone the page is read on, as far as the browser says. */
export type Device = 'iphone' | 'android' | 'other';

export interface View {
  readonly shared: SharedEsim;
  readonly notes: ReturnType<typeof notesOf>;
  readonly language: Language;
  readonly device: Device;
  /** The address of the page, which others begin with; null: a preview, from which nothing can be fetched. */
  readonly path: string | null;
  /** Account time. */
  readonly now: number;
}
