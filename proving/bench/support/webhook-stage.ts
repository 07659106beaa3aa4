import type { OrderEvent } from '../../../src/domains/messages/events/events.ts';
import {
  checkEvents,
  createSubscription,
  resumeSubscription,
} from '../../../src/domains/messages/webhooks/subscriptions/subscriptions.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { sql } from '../../../src/platform/db/query/sql.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { type Base, openBase } from '../../../src/worlds/base.ts';
import { type Child, startChild } from './child.ts';
import type { Question } from './webhook-receiver.ts';

/** A receiver, its subscriptions, and a way to fill their queue. */
interface WebhookStage extends AsyncDisposable {
  readonly base: Base;
  readonly receiver: Child;
  readonly receiverHost: string;
  readonly subscriptions: readonly {
    readonly id: bigint;
    readonly path: string;
    readonly secret: string;
    readonly partnerId: number;
  }[];
  /** Queues `count` deliveries, spread evenly, while every subscription is paused. */
  fill(count: number): Promise<void>;
  /** Resumes all subscriptions, or some. */
  release(some?: readonly { readonly id: bigint }[]): Promise<void>;
  waiting(): Promise<number>;
}

const PER_PARTNER = 5;
let nextOrder = 1n;

export async function webhookStage(
  env: NodeJS.ProcessEnv,
  { tls, subscriptions: count }: { tls: boolean; subscriptions: number },
): Promise<WebhookStage> {
  const receiver = startChild(new URL('webhook-receiver.ts', import.meta.url));
  const ask = <Answer>(question: Question) => receiver.ask<Answer>(question);
  const { port } = await ask<{ port: number }>({ start: { tls } });
  const receiverHost = `127.0.0.1:${port}`;
  const log = createLog('warn', (line) => process.stderr.write(line));
  const base = await openBase({
    config: readConfig({ ...process.env, ...env }),
    clock: systemClock,
    log,
    as: 'migrator',
  });
  const { db } = base.worlds.live;

  const subscriptions: WebhookStage['subscriptions'][number][] = [];
  let partnerId = 0;
  for (let i = 0; i < count; i++) {
    if (i % PER_PARTNER === 0)
      partnerId = await base.db.tx((tx) =>
        createPartner(tx, { name: `Bench ${i}`, email: 'bench@example.com' }, new Date()),
      );
    const path = `/hook/${port}/${i}`;
    const wanted = { partnerId, url: `${tls ? 'https' : 'http'}://${receiverHost}${path}`, events: checkEvents([]) };
    const made = await db.tx((tx) => createSubscription(tx, base.vault, wanted, Date.now()));
    subscriptions.push({ id: made.subscriptionId, path, secret: made.secret, partnerId });
  }
  await ask({ secrets: Object.fromEntries(subscriptions.map(({ path, secret }) => [path, secret])) });
  const partners = [...new Set(subscriptions.map((subscription) => subscription.partnerId))];
  const ids = subscriptions.map(({ id }) => id);

  return {
    base,
    receiver,
    receiverHost,
    subscriptions,
    async fill(wanted) {
      await db.run(
        sql`update webhook_subscriptions set status = 2, held_since = now() where id = any (${ids}) and status = 1`,
      );
      const events = wanted / PER_PARTNER;
      for (let done = 0; done < events; ) {
        const batch = Array.from({ length: Math.min(500, events - done) }, (_, i): OrderEvent => {
          nextOrder += 1n;
          return {
            partnerId: partners[(done + i) % partners.length] ?? 0,
            orderId: nextOrder,
            reference: '',
            event: 'order.delivered',
            delivery: 'delivered',
            deliveryReason: '',
            iccid: '8910300000012345678',
            qrCode: 'LPA:1$smdp.example.com$AAAA-BBBB-CCCC-DDDD',
            occurredAt: Date.now(),
          };
        });
        await db.tx((tx) => base.worlds.live.webhooks.publish(tx, batch));
        done += batch.length;
      }
    },
    async release(some = subscriptions) {
      await db.tx(async (tx) => {
        for (const { id } of some) await resumeSubscription(tx, id, Date.now());
      });
    },
    async waiting() {
      return Number((await db.one<{ n: bigint }>(sql`select count(*) as n from webhook_queue`)).n);
    },
    async [Symbol.asyncDispose]() {
      await base[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}
