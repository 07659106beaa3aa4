import type { Mode } from '../../../platform/contract/mode.ts';
import type { Vault } from '../../../platform/vault/secrets.ts';

const PURPOSE = 'qr';
const TOKEN = /^([a-z]+)-([1-9]\d{0,17})-([0-9a-f]{64})$/;

/** Where the QR image of an order is served. Anyone with the address has the eSIM, so it is signed and cannot be guessed. */
export function qrAddress(vault: Vault, panelUrl: URL, schema: Mode, orderId: bigint): string {
  const token = `${schema}-${orderId}-${vault.sign(PURPOSE, `${schema} ${orderId}`)}`;
  return `${panelUrl.href.replace(/\/$/, '')}/qr/${token}.svg`;
}

/** The order a token names; undefined unless the signature is ours. */
export function readQrToken(
  vault: Vault,
  token: string,
): { readonly schema: Mode; readonly orderId: bigint } | undefined {
  const [, schema = '', id = '', signature = ''] = TOKEN.exec(token) ?? [];
  if (!vault.verify(PURPOSE, `${schema} ${id}`, signature)) return undefined;
  // We only ever sign the names of our two worlds.
  return { schema: schema as Mode, orderId: BigInt(id) };
}
