import type { Wayfare } from '../../../../../sdk/src/wayfare.ts';
import { appleInstallUrl, type Esim, type OrderAnswer, type SupplierOrder } from '../../port/port.ts';
import { type Json, microsOf, objectOf, textOf } from '../loose.ts';
import { reasonOf } from '../reason.ts';
import { troubleOf } from './refusals.ts';

/** Final states of an order there. All others are still open. */
const DELIVERED = '1';
const FAILED = '2';

/** The outcome of an order that has a number there. It certainly exists, so no answer makes it absent. */
export async function lookAt(
  wayfare: Wayfare,
  supplierOrder: string,
  order: Pick<SupplierOrder, 'refillOf' | 'plan'>,
  alarm: (reason: string) => void,
): Promise<OrderAnswer> {
  let found: Json;
  try {
    found = objectOf(await wayfare.order.detail(supplierOrder));
  } catch (thrown) {
    const trouble = troubleOf(thrown);
    if ('failed' in trouble) return { outcome: 'unavailable', ...reasonOf(trouble) };
    const reason = `${trouble.status} ${trouble.code} about order ${supplierOrder}`;
    if (trouble.status < 429) alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  const about = objectOf(found.order);
  if (textOf(about.product_id) !== order.plan) {
    const reason = `order ${supplierOrder} is of another plan there`;
    alarm(reason);
    return { outcome: 'unavailable', reason };
  }
  const status = textOf(about.status);
  if (status === FAILED) return { outcome: 'refused', reason: 'the order failed there' };
  if (status !== DELIVERED) return { outcome: 'pending', supplierOrder };
  const charged = chargedFor(about);
  if (order.refillOf) return { outcome: 'refilled', supplierOrder, ...charged };
  const esim = esimIn(objectOf(found.esim));
  return esim ? { outcome: 'delivered', supplierOrder, esim, ...charged } : { outcome: 'pending', supplierOrder };
}

export function chargedFor({ sale_price }: Json): { charged?: NonNullable<ReturnType<typeof microsOf>> } {
  const charged = microsOf(sale_price);
  return charged === null ? {} : { charged };
}

const LPA = /^LPA:1\$([^$]+)\$([^$]*)/;

/**
 * The contract names the fields and not all of their forms: `lpa` is a host or the whole code, and so is `activationCode`. The
 * whole code wins wherever it stands; otherwise it is put together from its parts. Null: not complete.
 */
function esimIn(block: Json): Esim | null {
  const iccid = textOf(block.iccid);
  const texts = [block.qrcode, block.activationCode, block.lpa].flatMap((value) => textOf(value) ?? []);
  const [code, host, id] = LPA.exec(texts.find((text) => LPA.test(text)) ?? '') ?? [];
  const smdpAddress = host ?? textOf(block.smdpAddress) ?? textOf(block.lpa);
  const matchingId = id || textOf(block.matching_id) || textOf(block.activationCode);
  if (iccid === null || smdpAddress === null || (code === undefined && matchingId === null)) return null;
  const activationCode = texts.find((text) => LPA.test(text)) ?? `LPA:1$${smdpAddress}$${matchingId}`;
  return {
    iccid,
    smdpAddress,
    matchingId,
    activationCode,
    appleUrl: appleInstallUrl(activationCode),
    confirmationCode: textOf(block.confirmation_code),
    msisdn: textOf(block.msisdn),
    apn: textOf(block.apn),
    apnType: textOf(block.apn_type),
    apnValue: textOf(block.apn_value),
    isRoaming: typeof block.is_roaming === 'boolean' ? block.is_roaming : null,
  };
}
