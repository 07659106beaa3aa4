import { createHmac } from 'node:crypto';
import { isSame } from '../../../platform/vault/secrets.ts';
import { profileInNotice } from '../adapters/esim-go/phone.ts';
import { objectOf, parseObject, textOf } from '../adapters/loose.ts';
import { checkProfile, hasIccidForm, type ProfileReading } from '../port/port.ts';

/**
 * What a supplier's notification is about. It is only a hint: what happened is then read from the supplier, except for what is known of
 * the eSIM on the phone, which some suppliers tell nowhere else.
 */
export interface SupplierNotice {
  readonly iccid: string | undefined;
  /** Its number of the order. */
  readonly supplierOrder: string | undefined;
  /** What it says of the eSIM on the phone. Only of notifications that nobody but the supplier can send. */
  readonly profile?: Partial<ProfileReading>;
}

const ORDER = /^[\w-]{1,64}$/;
const EVENT_ID = /^[\w.:-]{1,200}$/;

const matching = (pattern: RegExp, value: unknown): string | undefined => {
  const text = textOf(value) ?? '';
  return pattern.test(text) ? text : undefined;
};

/** As with every eSIM that a supplier names. */
const iccidIn = (value: unknown): string | undefined => {
  const text = textOf(value);
  return hasIccidForm(text) ? text : undefined;
};

/** `told`: what it says of the phone, checked as in a reading. Parts that cannot be right are left out. */
function noticeOf(iccid: unknown, supplierOrder: unknown, told: Partial<ProfileReading> = {}): SupplierNotice {
  const { profile } = checkProfile(told);
  return {
    iccid: iccidIn(iccid),
    supplierOrder: matching(ORDER, supplierOrder),
    ...(profile && { profile }),
  };
}

/** Undefined: it is not signed with our secret at Airalo. */
function readAiraloNotice(
  body: Buffer,
  signature: string | undefined,
  clientSecret: string,
): SupplierNotice | undefined {
  const right = createHmac('sha512', clientSecret).update(body).digest('hex');
  if (!isSame(right, (signature ?? '').toLowerCase())) return undefined;
  const notice = parseObject(body.toString());
  const order = objectOf(notice.data);
  return noticeOf(notice.iccid, order.id);
}

/**
 * Undefined: it is not signed with our key at eSIM Go (callbacks of version 2 have no signature). The signature is base64 in one of
 * the documents and hex in the other. The ICCID is read from the text, because as a number it would lose its last digits.
 */
function readEsimGoNotice(
  body: Buffer,
  signature: string | undefined,
  key: string,
  now: number,
): SupplierNotice | undefined {
  const right = createHmac('sha256', key).update(body).digest();
  const isHex = /^[0-9a-f]{64}$/i.test(signature ?? '');
  const given = Buffer.from(signature ?? '', isHex ? 'hex' : 'base64');
  if (!isSame(right, given)) return undefined;
  const [, iccid] = /"iccid"\s*:\s*"?(\d+)"?/.exec(body.toString()) ?? [];
  return noticeOf(iccid, undefined, profileInNotice(parseObject(body.toString()), new Date(now)));
}

/** Events that change an order or an eSIM. The others repeat what our own calls have already returned. */
const NEWS = /^(order\.(delivered|failed)|esim\.)/;

/**
 * Undefined: it is not signed with the secret of our webhook there, or older than five minutes. `id`: the event, however often it
 * is sent.
 */
async function readPartnerV3Notice(
  body: Buffer,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  secret: string,
  now: number,
): Promise<{ readonly id: string; readonly notice: SupplierNotice } | undefined> {
  // The SDK is loaded only where it is used.
  const [{ verifyWebhook }, { profileIn }] = await Promise.all([
    import('../../../../sdk/src/wayfare.ts'),
    import('../adapters/partner-v3/usage.ts'),
  ]);
  const event = objectOf(await verifyWebhook(body, headers, { secret, now }).catch(() => undefined));
  const [id, name] = [matching(EVENT_ID, event.event_id), textOf(event.event)];
  if (id === undefined || name === null) return undefined;
  if (!NEWS.test(name)) return { id, notice: noticeOf(undefined, undefined) };
  return { id, notice: noticeOf(event.iccid, event.order_id, profileIn(event.profile)) };
}

/** eSIM Access signs nothing, so anybody may have sent it: what it says of the phone is read from the supplier. */
function readEsimAccessNotice(body: Buffer): SupplierNotice {
  const { iccid, orderNo } = objectOf(parseObject(body.toString()).content);
  return noticeOf(iccid, orderNo);
}

/** Zendit sends the transaction as it is read, under a header that was checked before. */
function readZenditNotice(body: Buffer): SupplierNotice {
  const { transactionId, confirmation } = parseObject(body.toString());
  return noticeOf(objectOf(confirmation).iccid, transactionId);
}

export const supplierNotices = {
  airalo: readAiraloNotice,
  esimAccess: readEsimAccessNotice,
  esimGo: readEsimGoNotice,
  partnerV3: readPartnerV3Notice,
  zendit: readZenditNotice,
};
