import { BIG_ID_DIGITS } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';

const PURPOSE = 'share';
/** The prefix is how the log knows one and cuts it out. The signature is 32 bytes in base64url. */
const TOKEN = new RegExp(`^wft_([a-z]+)-(${BIG_ID_DIGITS})-(0|[1-9]\\d{0,8})-([\\w-]{43})$`);

/** What a token names: one generation of the link of one order. */
export interface NamedLink {
  readonly schema: Mode;
  readonly orderId: bigint;
  readonly generation: number;
}

const signed = ({ schema, orderId, generation }: NamedLink): string => `${schema} ${orderId} ${generation}`;

/** The address of a traveller's page. Anyone with the address has the eSIM, so it is signed and cannot be guessed. */
export function linkAddress(vault: Vault, panelUrl: URL, link: NamedLink): string {
  const signature = Buffer.from(vault.sign(PURPOSE, signed(link)), 'hex').toString('base64url');
  const token = `wft_${link.schema}-${link.orderId}-${link.generation}-${signature}`;
  return `${panelUrl.href.replace(/\/$/, '')}/e/${token}`;
}

/** Undefined unless the signature is ours. Whether the link still works is up to the order and its row. */
export function readLinkToken(vault: Vault, token: string): NamedLink | undefined {
  const [, schema = '', id = '', generation = '', signature = ''] = TOKEN.exec(token) ?? [];
  const bytes = Buffer.from(signature, 'base64url');
  // The last character has bits to spare: each token has one spelling.
  if (signature === '' || bytes.toString('base64url') !== signature) return undefined;
  // We only ever sign the names of our two worlds.
  const link = { schema: schema as Mode, orderId: BigInt(id), generation: Number(generation) };
  return vault.verify(PURPOSE, signed(link), bytes.toString('hex')) ? link : undefined;
}
