import { createHash } from 'node:crypto';
import type { CatalogState, Moment } from '../../../../domains/catalog/catalog.ts';
import type { PartnerPrices } from '../../../../domains/catalog/prices/prices.ts';
import { productSchema } from './rows.ts';

/** What the Product rows of an export were made of. Equal versions mean equal rows, in every process and in both worlds. */
export interface Version {
  readonly state: CatalogState;
  /** How a row is written: it changes with releases that add a field, and with the address of the flags. */
  readonly form: string;
  readonly contractId: string;
}

const VERSION = /^(\d{1,18})-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{16})$/;
export const VERSION_PATTERN = VERSION.source;

/** What a schema says of a row for people. It can be reworded without a row being written differently. */
const isRemark = (key: string, value: unknown): boolean =>
  ((key === 'title' || key === 'description') && typeof value === 'string') ||
  key === 'examples' ||
  key === 'x-enum-descriptions';

/** Countries that are not sold have the names that Node's own data gives them. */
const FORM = JSON.stringify([productSchema, process.versions.cldr], (key, value) =>
  isRemark(key, value) ? undefined : value,
);
const forms = new Map<string, string>();

function formOf(imageBase: string): string {
  const form = forms.get(imageBase) ?? createHash('sha256').update(FORM).update(imageBase).digest('hex').slice(0, 8);
  forms.set(imageBase, form);
  return form;
}

export function versionOf({ state, imageBase }: Moment, { contract }: PartnerPrices): Version {
  return { state, form: formOf(imageBase), contractId: contract.id };
}

export const formatVersion = ({ state, form, contractId }: Version): string =>
  `${state.id}-${state.token}-${form}-${contractId}`;

/** Undefined: not a version. */
export function parseVersion(text: string): Version | undefined {
  const [, id, token, form, contractId] = VERSION.exec(text) ?? [];
  if (id === undefined || !token || !form || !contractId) return undefined;
  return { state: { id: BigInt(id), token }, form, contractId };
}
