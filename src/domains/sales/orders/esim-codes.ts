import type { Queryable } from '../../../platform/db/database.ts';
import { type Sql, sql } from '../../../platform/db/query/sql.ts';
import type { Apart, Vault } from '../../../platform/vault/secrets.ts';
import type { Esim } from '../../supply/port/port.ts';
import { codeJobs } from './code-retention.ts';

/*
 * The activation data of an eSIM is in its order's row, sealed with a key of its own. That key is in `esim_keys`, sealed with the main
 * secret. Deleting the key destroys the data in every copy of the row: on replicas at once, in backups once the last one is gone that
 * has the key. Rotating the main secret seals keys again, not data.
 *
 * Orders that an earlier version delivered are sealed with the main secret itself, until a job has given them a key (`code-retention.ts`).
 */

/** Activation data as it is read; once it was destroyed, its texts are empty. */
type KeptEsim = Esim & { readonly erased?: true };

/** Beside a column `esim` of `orders`: its key. */
const keyOfOrder: Sql = sql`(select esim_keys.sealed from esim_keys where esim_keys.id = orders.id)`;

const opened = (vault: Vault, given: Apart, iccid: string | null): KeptEsim => {
  const text = vault.openApart(given);
  return text === undefined ? { ...nothingLeft, iccid: iccid ?? '' } : (JSON.parse(text) as Esim);
};

const nothingLeft: Omit<KeptEsim, 'iccid'> = {
  smdpAddress: '',
  matchingId: '',
  activationCode: '',
  appleUrl: '',
  confirmationCode: '',
  msisdn: '',
  apn: '',
  apnType: '',
  apnValue: '',
  isRoaming: null,
  erased: true,
};

const sealed = (
  vault: Vault,
  esim: Esim | undefined,
): { readonly sealed: Buffer | null; readonly key: Buffer | null } =>
  esim ? vault.sealApart(JSON.stringify(esim)) : { sealed: null, key: null };

/** As part of the statement that delivers orders: keeps their keys. Each is first looked at a day later. */
const keyed: Sql = sql`keyed as (
      insert into esim_keys (id, sealed, check_at)
      select id, esim_key, at + interval '1 day' from moved where esim_key is not null
    )`;

/** Destroys the activation data of these orders. */
const destroy = (db: Queryable, orderIds: readonly bigint[]): Promise<number> =>
  db.run(sql`delete from esim_keys where id = any(${orderIds}::bigint[])`);

/** Those of a partner's orders, before the orders are deleted. */
const forget = (db: Queryable, partnerId: number): Promise<number> =>
  db.run(sql`delete from esim_keys using orders where orders.id = esim_keys.id and orders.partner_id = ${partnerId}`);

export const esimCodes = { keyOfOrder, opened, sealed, keyed, destroy, forget, jobs: codeJobs };
