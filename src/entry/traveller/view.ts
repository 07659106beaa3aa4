import type { Catalog } from '../../domains/catalog/catalog.ts';
import type { Language } from '../../domains/messages/texts/texts.ts';
import { apnOf } from '../../domains/sales/esims/esims.ts';
import type { SharedEsim } from '../../domains/travellers/travellers.ts';

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

/** What is known of the plan: the eSIM's own data comes first, completed by the catalog's. Null: nothing, or the plan is gone. */
export function notesOf({ esim, productId, countryCode }: SharedEsim, catalog: Catalog) {
  const meta = catalog.byAlias(productId)?.network.meta;
  const apn = apnOf(esim, meta);
  return {
    /** The destination's English name, for places without one of ours. */
    place: catalog.destination(countryCode)?.title ?? null,
    startsOnInstall: meta?.activation_policy === 'installation',
    isRoaming: esim.isRoaming ?? meta?.is_roaming ?? null,
    apn: apn.type === 'automatic' ? null : apn.value || null,
    warning: meta?.warning || null,
  };
}
