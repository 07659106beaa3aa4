import { MINUTE } from '../../../../platform/clock.ts';
import type { Db } from '../../../../platform/db/database.ts';
import type { Listener } from '../../../../platform/db/notifications.ts';
import { type Sql, sql } from '../../../../platform/db/query/sql.ts';
import type { Job } from '../../../../platform/jobs/runner.ts';
import type { Services } from '../../../../platform/start/services.ts';
import type { Notices } from '../../mail/mail.ts';
import { closeInboxes } from '../log/inbox.ts';
import { listPrunable, pruneBodies, retention } from '../log/retention.ts';
import { attempts } from '../send/attempt.ts';
import { Delivery } from '../send/deliver.ts';
import type { Sender } from '../send/send.ts';
import { pullInDeliveries } from './due-times.ts';
import { abandonHeld } from './held.ts';
import { type AttemptOutcome, type Exchange, HINT_CHANNEL, readHint } from './queue.ts';
import { recoveryJob } from './recovery-attempts.ts';
import { BODY_KEPT_MS } from './schedule.ts';

interface WebhookWorkOptions extends Pick<Services, 'vault' | 'clock' | 'log'> {
  readonly worlds: readonly { readonly schema: string; readonly db: Db; readonly hasInbox?: boolean }[];
  readonly sender: Sender;
  readonly listener: Listener;
  readonly wake: (job: string) => void;
  readonly keptMs: number;
  readonly onAttempt: (schema: string, outcome: AttemptOutcome) => void;
  readonly onTry: (schema: string, exchange: Exchange) => void;
  readonly notices: Notices;
}

/** The background jobs of every world: deliver, try disabled subscriptions, give up what was held too long, correct due times, prune the log. */
export function webhookWork(options: WebhookWorkOptions) {
  const { worlds, vault, sender, clock, log, listener, wake } = options;
  const deliveries = new Map(
    worlds.map(({ schema, db, hasInbox }) => {
      const { attempt } = attempts({ vault, sender, clock, hasInbox });
      const name = `deliver ${schema}`;
      const onAttempt = (outcome: AttemptOutcome) => options.onAttempt(schema, outcome);
      const noticesOf = (disabled: Sql) => {
        const facts = sql`jsonb_build_object('subscriptionId', id::text, 'url', url, 'world', ${schema}::text,
          'nextTryAt', to_char(next_try_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))`;
        return options.notices.noticesFor(
          'webhook_disabled',
          sql`select partner_id, ${facts} from (${disabled}) as disabled`,
          clock.now(),
        );
      };
      return [schema, new Delivery({ name, db, attempt, clock, log, wake, onAttempt, noticesOf })];
    }),
  );
  listener.on(HINT_CHANNEL, (payload) => {
    const { schema, subscriptionIds } = readHint(payload);
    deliveries.get(schema)?.hint(subscriptionIds);
  });
  // Hints sent while the connection was away are lost.
  listener.onReconnect(() => {
    for (const delivery of deliveries.values()) delivery.hint();
  });
  async function pullIn(schema: string, db: Db): Promise<number> {
    const deliveries = await pullInDeliveries(db, clock.now());
    if (deliveries > 0)
      log.warn(
        { schema, deliveries },
        'deliveries were scheduled too far ahead, as if the clock had been wrong: they are sent now',
      );
    return deliveries;
  }
  const upkeep = worlds.flatMap(({ schema, db, hasInbox }): Job[] => [
    recoveryJob({
      schema,
      db,
      exchange: attempts({ vault, sender, clock, hasInbox }).exchange,
      clock,
      log,
      onTry: (made) => options.onTry(schema, made),
    }),
    ...(hasInbox
      ? [{ name: `close inboxes ${schema}`, everyMs: MINUTE, run: () => closeInboxes(db, vault, clock.now()) }]
      : []),
    { name: `abandon held ${schema}`, everyMs: MINUTE, run: () => abandonHeld(db, clock.now()) },
    { name: `pull in ${schema}`, everyMs: MINUTE, run: () => pullIn(schema, db) },
    {
      name: `prune bodies ${schema}`,
      everyMs: 10 * MINUTE,
      run: async () => pruneBodies(db, await listPrunable(db, new Date(clock.now() - BODY_KEPT_MS))),
    },
    {
      name: `remove deliveries ${schema}`,
      everyMs: 10 * MINUTE,
      run: retention({ schema, db, keptMs: options.keptMs, clock, log }),
    },
  ]);
  return {
    jobs: [...[...deliveries.values()].map(({ job }) => job), ...upkeep],
    /** Waits for attempts in flight; call it after the runner has stopped. */
    async close(): Promise<void> {
      await Promise.all([...deliveries.values()].map((delivery) => delivery.close()));
    },
  };
}
