import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { partnersNamed } from '../../../domains/partners/accounts/accounts.ts';
import { listedStates, type OrderFilter } from '../../../domains/sales/order-lists/order-lists.ts';
import { type InvalidField, Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Call } from '../../site/json/action.ts';
import { requireRange } from '../../site/json/time-range.ts';

const MAX_TEXT = 200;

/** Which orders a page lists, from its address. Everything is optional; an invalid value is refused with the name of its field. */
export async function requireOrderFilter(
  { query }: Pick<Call, 'query'>,
  db: Queryable,
  catalog: Catalog,
): Promise<Omit<OrderFilter, 'limit'>> {
  const { from, to } = requireRange(query);
  return {
    partnerId: await requirePartner(query('partner').trim(), db),
    state: stateOf(query('status')),
    reference: shortOf(query('reference'), 'reference'),
    inAnyCase: true,
    iccid: matching(query('iccid'), /^\d{5,22}$/, 'iccid', 'an ICCID'),
    batchId: batchOf(query('batch')),
    supplier: matching(query('supplier'), /^[a-z0-9-]{1,60}$/, 'supplier', 'the name of a supplier'),
    productId: matching(query('product_id'), /^esc_[0-9a-f]{16}$/, 'product_id', 'the id of a plan'),
    countryCode: destinationOf(query('destination').trim(), catalog),
    from: query('from') === '' ? undefined : from,
    to: query('to') === '' ? undefined : to,
    beforeId: beforeOf(query('before')),
  };
}

/** The id of a partner, or a part of its name that only one has. */
export async function requirePartner(text: string, db: Queryable): Promise<number | undefined> {
  if (text === '') return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const found = await partnersNamed(db, text.slice(0, MAX_TEXT), 4);
  const [only, another] = found;
  if (!only) throw new Refused('invalid_partner', `no partner has “${text.slice(0, 40)}” in its name`);
  if (another)
    throw new Refused(
      'invalid_partner',
      `several partners have this in their name: ${found.map(({ id, name }) => `${name} (${id})`).join(', ')}`,
    );
  return only.id;
}

function stateOf(text: string): OrderFilter['state'] {
  if (text === '') return undefined;
  const state = listedStates.find((one) => one === text);
  if (!state) throw new Refused('invalid_status', `the status must be one of ${listedStates.join(', ')}`);
  return state;
}

function destinationOf(text: string, catalog: Catalog): string | undefined {
  if (text === '') return undefined;
  const code = catalog.destination(text)?.code ?? text.toUpperCase();
  if (!/^[A-Z0-9_-]{2,40}$/.test(code))
    throw new Refused('invalid_destination', `“${text.slice(0, 40)}” is not the code of a destination, like FR`);
  return code;
}

function shortOf(text: string, field: InvalidField): string | undefined {
  if (text.length > MAX_TEXT) throw new Refused(`invalid_${field}`, `the ${field} has at most ${MAX_TEXT} characters`);
  return text === '' ? undefined : text;
}

function matching(text: string, pattern: RegExp, field: InvalidField, what: string): string | undefined {
  if (text === '') return undefined;
  if (!pattern.test(text)) throw new Refused(`invalid_${field}`, `“${text.slice(0, 40)}” cannot be ${what}`);
  return text;
}

function batchOf(text: string): bigint | undefined {
  const id = matching(text, /^[1-9]\d{0,17}$/, 'batch', 'the id of a batch');
  return id === undefined ? undefined : BigInt(id);
}

export function beforeOf(text: string): bigint | undefined {
  if (text === '') return undefined;
  if (!/^[1-9]\d{0,17}$/.test(text)) throw new Refused('invalid_before', 'this is not the id of an order');
  return BigInt(text);
}
