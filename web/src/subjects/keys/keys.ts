import type { KeyView } from '../../../../src/entry/site/views/records.ts';

export type Key = KeyView;

/** What was typed into the fields a form about a key has. `expires_on` is a day, or '' for a key that does not expire. */
export type KeyForm = Readonly<
  Partial<Record<'name' | 'note' | 'expires_on' | 'allow_list' | 'limits', string>> & {
    /** Of a new key that is restricted. */
    readonly permissions?: readonly string[];
    /** A new key with a client id and a secret for software made for Airalo. */
    readonly airalo?: boolean;
  }
>;

/** The name its owner gave a key, beside what is shown of it. */
export const keyName = ({ name, mask }: Pick<Key, 'name' | 'mask'>): string =>
  name === '' ? mask : `${name} (${mask})`;

type KeyState = 'active' | 'expired' | 'revoked';
export function keyState({ revoked_at, expires_at }: Key): KeyState {
  if (revoked_at !== null) return 'revoked';
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? 'expired' : 'active';
}
