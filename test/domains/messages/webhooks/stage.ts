import type { OrderEvent } from '../../../../src/domains/messages/events/events.ts';
import type { Published } from '../../../../src/domains/messages/webhooks/queue/publish.ts';
import type { Mode } from '../../../../src/platform/contract/mode.ts';
import { record, type TestApp, type TestAppOptions, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type Receiver, receiver, until } from '../../../support/servers/receiver.ts';

/** An app with a receiver it may deliver to, and a partner who subscribed it. */
export interface Stage extends AsyncDisposable {
  readonly t: TestApp;
  readonly hook: Receiver;
  readonly partnerId: number;
  readonly key: Record<Mode, string>;
  /** Runs an operator command. */
  operate(line: string | readonly string[]): ReturnType<typeof run>;
  subscribe(mode?: Mode, path?: string, events?: string): Promise<{ id: bigint; secret: string }>;
  publish(events: readonly Partial<OrderEvent>[], mode?: Mode): Promise<Published>;
  /** The log as the partner reads it. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the contract says is there.
  log(query?: string, mode?: Mode): Promise<any[]>;
  /** Waits until the newest delivery reads like this. */
  settled(want: Record<string, string>, mode?: Mode): Promise<void>;
}

export async function stage(options: TestAppOptions = {}): Promise<Stage> {
  const hook = await receiver();
  const t = await testApp({ ...options, config: { webhookTrustedHosts: [hook.host], ...options.config } });
  const partnerId = await t.partner();
  const key = { live: await t.key(partnerId, 'live'), sandbox: await t.key(partnerId, 'sandbox') };
  let nextOrder = 1000n;
  const log = async (query = '', mode: Mode = 'live') => {
    const { status, body, text } = await t.get(`/webhook/deliveries?limit=200&${query}`, { key: key[mode] });
    if (status !== 200) throw new Error(text);
    return body.deliveries;
  };
  return {
    t,
    hook,
    partnerId,
    key,
    log,
    operate: (line) => run(t.operator(), line),
    async subscribe(mode = 'live', path = '/hook', events = '') {
      const chosen = events ? ` --events ${events}` : '';
      const url = `http://${hook.host}${path}`;
      const made = await run(
        t.operator(),
        `webhook create --partner ${partnerId} --mode ${mode} --url ${url}${chosen}`,
      );
      record('secrets', `${made.secret}\n`);
      return { id: made.subscription_id, secret: made.secret };
    },
    publish(events, mode = 'live') {
      const world = t.base.worlds[mode];
      nextOrder += 1n;
      const full = events.map((event): OrderEvent => {
        const orderId = nextOrder;
        const empty = {
          reference: '',
          delivery: '',
          deliveryReason: '',
          iccid: '',
          qrCode: '',
          occurredAt: t.clock.now(),
        };
        return { partnerId, orderId, event: 'order.paid', ...empty, ...event };
      });
      return world.db.tx((tx) => world.webhooks.publish(tx, full));
    },
    async settled(want, mode = 'live') {
      let seen: unknown;
      await until(
        async () => {
          const [newest] = await log('', mode);
          seen = newest;
          return newest !== undefined && Object.entries(want).every(([field, value]) => newest[field] === value);
        },
        () => `wanted ${JSON.stringify(want)}, saw ${JSON.stringify(seen)}`,
      );
    },
    async [Symbol.asyncDispose]() {
      await t[Symbol.asyncDispose]();
      await hook[Symbol.asyncDispose]();
    },
  };
}
