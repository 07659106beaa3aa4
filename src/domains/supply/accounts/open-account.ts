import { MATCHING_ID_FIELDS } from '../../../platform/settings/supplier-fields.ts';
import type { Services } from '../../../platform/start/services.ts';
import { openAiralo } from '../adapters/airalo/airalo.ts';
import type { Account } from '../adapters/connection.ts';
import { openEsimAccess } from '../adapters/esim-access/esim-access.ts';
import { openEsimGo } from '../adapters/esim-go/esim-go.ts';
import { openZendit } from '../adapters/zendit/zendit.ts';
import type { Supplier } from '../port/port.ts';
import { type AccountValues, inForce } from './account-store.ts';

interface AccountParts extends Pick<Services, 'db' | 'clock' | 'log'> {
  readonly dayPlanDays: readonly number[];
}

interface Given {
  readonly slug: string;
  /** With the defaults where nothing was given. */
  readonly values: AccountValues;
  readonly url: URL;
  readonly perSecond: { readonly perSecond?: number };
}

type Open = (given: Given, parts: AccountParts) => OpenAccount | Promise<OpenAccount>;

const text = (values: AccountValues, name: string): string => values[name] ?? '';

export type OpenAccount = ReturnType<typeof ofSlug>;
const ofSlug = (slug: string, { supplier, close }: Account) => ({ supplier: supplier(slug), close });

const openers: Readonly<Record<string, Open>> = {
  airalo: ({ slug, values, url, perSecond }, { clock, log }) => {
    const credentials = { clientId: text(values, 'client_id'), clientSecret: text(values, 'client_secret') };
    return ofSlug(slug, openAiralo({ ...credentials, url }, { clock, log, slug, ...perSecond }));
  },
  esim_access: ({ slug, values, url, perSecond }, { clock, log, dayPlanDays }) => {
    const credentials = { accessCode: text(values, 'access_code'), secret: text(values, 'secret') };
    return ofSlug(slug, openEsimAccess({ ...credentials, url }, { clock, log, dayPlanDays, slug, ...perSecond }));
  },
  esim_go: ({ slug, values, url, perSecond }, { db, clock, log }) =>
    ofSlug(slug, openEsimGo({ key: text(values, 'key'), url }, { db, clock, log, slug, ...perSecond })),
  zendit: ({ slug, values, url, perSecond }, { clock, log }) => {
    const matchingIdField = MATCHING_ID_FIELDS.find((name) => name === values.matching_id) ?? MATCHING_ID_FIELDS[0];
    const settings = { apiKey: text(values, 'api_key'), url, matchingIdField };
    return ofSlug(slug, openZendit(settings, { clock, log, slug, ...perSecond }));
  },
  async partner_v3({ slug, values, url }, { clock, log }) {
    // The SDK is loaded only where it is used.
    const { openPartnerV3 } = await import('../adapters/partner-v3/partner-v3.ts');
    return openPartnerV3({ slug, url, key: text(values, 'key') }, { clock, log });
  },
};

/** Opens an account from the database. Undefined: this version of the program does not know its kind. */
export async function openAccount(
  { slug, kind, title, values: given }: { slug: string; kind: string; title: string; values: AccountValues },
  parts: AccountParts,
): Promise<OpenAccount | undefined> {
  const values = inForce(kind, given);
  const perSecond = values.calls_per_second === undefined ? {} : { perSecond: Number(values.calls_per_second) };
  const opened = await openers[kind]?.({ slug, values, url: new URL(text(values, 'url')), perSecond }, parts);
  return opened && { ...opened, supplier: titled(opened.supplier, title) };
}

/** Its list goes by the title that the account has here. */
const titled = (supplier: Supplier, title: string): Supplier => ({
  ...supplier,
  async plans(signal, since) {
    const list = await supplier.plans(signal, since);
    return list && { ...list, supplier: { ...(list.supplier as object), title } };
  },
});
