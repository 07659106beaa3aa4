import { Refused } from '../../../platform/contract/refused.ts';
import { type Queryable, sqlState, type Tx } from '../../../platform/db/database.ts';
import { sql } from '../../../platform/db/query/sql.ts';
import { type Application, columns, type LiveDetails } from './rows.ts';

const UNIQUE_VIOLATION = '23505';

interface LiveWish {
  readonly partnerId: number;
  readonly email: string;
  readonly company: string;
  readonly details: LiveDetails;
}

/** Asks for live. One application of a partner is open at a time. */
export async function askForLive(tx: Tx, wish: LiveWish, now: number): Promise<Application> {
  const at = new Date(now);
  try {
    return await tx.one<Application>(sql`
      insert into applications (kind, status, partner_id, name, company, email, details, created_at, since)
      values ('live', 'waiting', ${wish.partnerId}, '', ${wish.company}, ${wish.email},
        ${JSON.stringify(wish.details)}::jsonb, ${at}, ${at})
      returning ${columns}`);
  } catch (error) {
    if (sqlState(error) === UNIQUE_VIOLATION) throw new Refused('application_open');
    throw error;
  }
}

export const liveApplicationOf = (db: Queryable, partnerId: number): Promise<Application | undefined> =>
  db.maybe<Application>(sql`
    select ${columns} from applications where partner_id = ${partnerId} and kind = 'live' order by id desc limit 1`);
