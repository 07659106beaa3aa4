import type { Cents } from '../../../platform/amounts/cents.ts';
import type { Queryable } from '../../../platform/db/database.ts';
import { type Dates, queryOfPartners } from './sales-query.ts';

export interface SoldToPartner {
  readonly partnerId: number;
  /** Charged, whatever their outcome. */
  readonly orders: number;
  readonly charged: Cents;
  /** Given back of that, until now. */
  readonly returned: Cents;
}

/** What these partners bought on these days. Partners without an order are left out. */
export const readSoldTo = (db: Queryable, partnerIds: readonly number[], dates: Dates): Promise<SoldToPartner[]> =>
  db.query(queryOfPartners(dates, partnerIds));
