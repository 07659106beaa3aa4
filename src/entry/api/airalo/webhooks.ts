import { type NoticeKind, noticeKinds, phpJson } from '../../../domains/messages/airalo/airalo.ts';
import type { Reply } from '../endpoint.ts';
import { badField, ok, unsimulated } from './answers.ts';
import { airalo, type ClientContext, type Sent, type Shop } from './endpoint.ts';

function requireKind({ type }: Sent): NoticeKind {
  const kind = noticeKinds.find((known) => known === type);
  // Mails about data and credit are ours to send, to people who set them up in the panel.
  if (!kind) throw badField('type', 'The selected type is invalid.', 'invalid_type');
  return kind;
}

async function requireAddress({ guard }: Pick<Shop, 'guard'>, url: string | undefined): Promise<string> {
  if (url === undefined) throw badField('webhook_url', 'The webhook url field is required.', 'url_required');
  await guard.check(url).catch(() => {
    throw badField('webhook_url', 'The webhook url is invalid.', 'url_blocked');
  });
  return url;
}

/** Where a webhook goes: to the address it was asked for with, or to where the client has opted in. Undefined: nowhere. */
export const addressFor = async (
  { guard }: Pick<Shop, 'guard'>,
  { world, keyId }: ClientContext,
  kind: NoticeKind,
  { webhook_url: url }: Sent,
): Promise<string | undefined> =>
  url === undefined ? (await world.airaloNotices.optedIn(keyId)).get(kind) : requireAddress({ guard }, url);

const notification = (type: NoticeKind, url: string) => ({ notification: { type, contact_point: url } });

/** Somebody has to be there: Airalo asks with HEAD before it notes the address. */
async function optIn(shop: Shop, { world, partnerId, keyId, now }: ClientContext, sent: Sent): Promise<Reply> {
  const kind = requireKind(sent);
  const url = await requireAddress(shop, sent.webhook_url);
  const { httpStatus } = await shop.sender.head(url);
  if (httpStatus !== 200)
    throw badField('webhook_url', 'The webhook url must answer a HEAD request with 200.', 'url_blocked');
  await world.airaloNotices.optIn({ partnerId, keyId }, kind, url, new Date(now));
  return ok(notification(kind, url));
}

const samples: Readonly<Record<string, { readonly kind: NoticeKind; body(sent: Sent): object }>> = {
  async_order_notification: {
    kind: 'async_orders',
    body: () => ({
      data: { id: 0, code: '20250101-0', currency: 'USD', package_id: 'sample', quantity: 1, type: 'sim', sims: [] },
      meta: { message: 'success' },
      request_id: 'simulated-by-you-00000001',
    }),
  },
  low_data_notification: {
    kind: 'webhook_low_data',
    body({ type = 'data_75', iccid = '' }) {
      const level = { data_75: '75%', data_90: '90%', expire_1: '1days', expire_3: '3days' }[type];
      if (level === undefined) throw badField('type', 'The selected type is invalid.');
      const left = { data_75: 25, data_90: 10 }[type] ?? 100;
      return { level, package_name: 'Simulated', remaining_percentage: left, iccid };
    },
  },
  credit_limit_notification: {
    kind: 'webhook_credit_limit',
    body: ({ level = '80' }) => ({ message: `Surpassed ${level}% of the credit limit balance`, remaining: 100 }),
  },
};

/** Sends a sample as the real one would be sent, at most once for each call. */
async function simulate(shop: Shop, context: ClientContext, sent: Sent): Promise<Reply> {
  const { world, partnerId, keyId, now } = context;
  const sample = Object.hasOwn(samples, sent.event ?? '') ? samples[sent.event ?? ''] : undefined;
  if (!sample) throw badField('event', 'The selected event is invalid.');
  const url = await addressFor(shop, context, sample.kind, sent);
  if (url === undefined) throw unsimulated();
  const body = phpJson(sample.body(sent));
  await world.airaloNotices.send({ partnerId, keyId }, sample.kind, url, body, new Date(now));
  return { body: { success: 'Notification sent' } };
}

export const webhookEndpoints = (shop: Shop) => [
  airalo({
    verb: 'POST',
    path: '/notifications/opt-in',
    tier: 'outbound',
    permission: 'webhooks',
    fields: ['type', 'webhook_url', 'email', 'language', 'levels'],
    handle: (context, sent) => optIn(shop, context, sent),
  }),
  airalo({
    verb: 'GET',
    path: '/notifications/opt-in',
    tier: 'read',
    async handle({ world, keyId }) {
      const optedIn = await world.airaloNotices.optedIn(keyId);
      const [first, ...others] = [...optedIn].map(([kind, url]) => notification(kind, url));
      // Theirs shows one; the rest is beside it.
      return ok(first ? { ...first, others: others.map((other) => other.notification) } : []);
    },
  }),
  airalo({
    verb: 'POST',
    path: '/notifications/opt-out',
    tier: 'money',
    permission: 'webhooks',
    fields: ['type'],
    async handle({ world, keyId, now }, sent) {
      await world.airaloNotices.optOut(keyId, requireKind(sent), new Date(now));
      return { status: 204, body: {} };
    },
  }),
  airalo({
    verb: 'POST',
    path: '/simulator/webhook',
    tier: 'outbound',
    permission: 'webhooks',
    fields: ['event', 'type', 'level', 'iccid', 'webhook_url'],
    handle: (context, sent) => simulate(shop, context, sent),
  }),
];
