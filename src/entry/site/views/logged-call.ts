import type { LoggedField } from '../../../domains/insight/request-log/request-log.ts';
import { latestKeys, maskKey } from '../../../domains/partners/keys/keys.ts';
import type { Queryable } from '../../../platform/db/database.ts';

export type Keys = Awaited<ReturnType<typeof keysOf>>;

/** The account's keys as the log names them. */
export const keysOf = async (db: Queryable, partnerId: number) =>
  (await latestKeys(db, partnerId)).map(({ keyId: id, mode, name, last4, permissions }) => ({
    id,
    mode,
    name,
    mask: maskKey(mode, last4),
    permissions,
  }));

export const loggedKeyView = (id: number, keys: Keys) => {
  const key = keys.find((one) => one.id === id);
  return { id, name: key?.name ?? '', mask: key?.mask ?? `key ${id}`, permissions: key?.permissions ?? null };
};

export const fieldView = ({ in: place, name, value, note }: LoggedField) => ({
  in: place,
  name,
  value,
  note: note ?? null,
});
