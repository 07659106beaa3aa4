import type { Catalog } from '../../../domains/catalog/catalog.ts';
import { partnersNamed } from '../../../domains/partners/accounts/accounts.ts';
import { type AllOrdersFilter, operatorOrderStates } from '../../../domains/sales/order-lists/order-lists.ts';
import { smallIdIn } from '../../../platform/contract/ids.ts';
import { Refused } from '../../../platform/contract/refused.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import type { Call } from '../../site/json/action.ts';
import { filtersFrom, orderFilterFrom } from '../../site/json/filters.ts';

const MAX_TEXT = 200;

/** Which orders of all partners a page lists, from its address. */
export async function requireOrderFilter(
  call: Pick<Call, 'query'>,
  db: Queryable,
  catalog: Catalog,
): Promise<Omit<AllOrdersFilter, 'limit'>> {
  const { matching, read } = filtersFrom(call);
  const codeOf = (text: string) => {
    const code = catalog.destination(text)?.code ?? text.toUpperCase();
    return /^[A-Z0-9_-]{2,40}$/.test(code) ? code : undefined;
  };
  return {
    ...orderFilterFrom(call, operatorOrderStates),
    partnerId: await requirePartner(call, db),
    supplier: matching('supplier', /^[a-z0-9-]{1,60}$/, 'give the short name of a supplier'),
    countryCode: read('destination', codeOf, 'give the code of a destination, like FR'),
  };
}

/** The id of a partner, or a part of its name that only one has. */
export async function requirePartner(call: Pick<Call, 'query'>, db: Queryable): Promise<number | undefined> {
  const text = filtersFrom(call).words('partner', MAX_TEXT);
  if (text === '') return undefined;
  const id = smallIdIn(text);
  if (id !== undefined) return id;
  const found = await partnersNamed(db, text, 4);
  const [only, another] = found;
  if (!only) throw new Refused('invalid_partner', `no partner has “${text.slice(0, 40)}” in its name`);
  if (another)
    throw new Refused(
      'invalid_partner',
      `several partners have this in their name: ${found.map(({ id, name }) => `${name} (${id})`).join(', ')}`,
    );
  return only.id;
}
