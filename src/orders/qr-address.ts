import type { Vault } from '../secrets.ts';
import type { World } from '../worlds/world.ts';

const PURPOSE = 'qr';
const TOKEN = /^([a-z]+)-([1-9]\d{0,17})-([0-9a-f]{64})$/;

/** Where the QR image of an order is served. Whoever has the address has the eSIM, so it cannot be guessed. */
export function qrAddress(vault: Vault, panelUrl: URL, schema: World['schema'], orderId: bigint): string {
  const token = `${schema}-${orderId}-${vault.sign(PURPOSE, `${schema} ${orderId}`)}`;
  return `${panelUrl.href.replace(/\/$/, '')}/qr/${token}.svg`;
}

export function readQrToken(
  vault: Vault,
  token: string,
): { readonly schema: World['schema']; readonly orderId: bigint } | undefined {
  const [, schema = '', id = '', signature = ''] = TOKEN.exec(token) ?? [];
  // What carries our signature names a world of ours.
  if (!vault.verify(PURPOSE, `${schema} ${id}`, signature)) return undefined;
  return { schema: schema as World['schema'], orderId: BigInt(id) };
}
