import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { sendDue } from '../../src/domains/messages/mail/job.ts';
import { smtpPost } from '../../src/domains/messages/mail/send.ts';
import { sql } from '../../src/platform/db/query/sql.ts';
import { mailContents } from '../../src/work.ts';
import {
  brokenSupplier,
  type RichInstallation,
  richInstallation,
} from '../../test/support/browser/every-page/rich-installation.ts';
import { eventually } from '../../test/support/eventually.ts';
import { testApp } from '../../test/support/program/app.ts';
import { type DemoApp, demoIn } from '../../test/support/program/demo-app.ts';
import { run } from '../../test/support/program/operator.ts';
import { type Receiver, receiver } from '../../test/support/servers/receiver.ts';
import { type SmtpServer, smtpServer } from '../../test/support/servers/smtp.ts';

/** An installation with data of every kind and a mail server, and what an attack needs to explore it. */
export interface AttackStage extends DemoApp, AsyncDisposable {
  readonly rich: RichInstallation;
  readonly smtp: SmtpServer;
  /** A receiver the attackers control. */
  readonly theirs: Receiver;
  /** Subscriptions of the demo partner in both worlds; the receiver answers with the body it got. */
  readonly subscriptions: Readonly<Record<'live' | 'sandbox', string>>;
  /** Buys in both worlds, which sends events with activation codes to every subscription. */
  sell(): Promise<void>;
  /** The texts of the mails to an address. */
  mailsTo(address: string): Promise<string[]>;
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

export async function attackStage(): Promise<AttackStage> {
  await using undo = new AsyncDisposableStack();
  const [hook, theirs] = [undo.use(await receiver()), undo.use(await receiver())];
  const smtp = undo.use(await smtpServer());
  const { airalo, invoicing } = await brokenSupplier();
  const config = {
    webhookTrustedHosts: [hook.host, theirs.host],
    cardPayments: 'simulated' as const,
    mail: smtp.settings,
    // With normal timeouts: with the short ones a busy machine would give up on working suppliers, too.
    airalo,
    invoicing,
  };
  // Serves and works; the attack itself sends the mail, so that it knows when it is there.
  const t = undo.use(await testApp({ config, demo: true }));
  const demo = await demoIn(t);
  const rich = await richInstallation({ t, hook, demo });
  hook.answer = ({ body }, response: ServerResponse) =>
    void response.writeHead(200, { 'x-echo': encodeURIComponent(body) }).end(body);
  const subscribe = async (mode: 'live' | 'sandbox') => {
    const words = [
      'webhook',
      'create',
      '--partner',
      `${demo.partnerId}`,
      '--mode',
      mode,
      '--url',
      `${hook.url}/${mode}`,
    ];
    return String((await run(t.operator(), words)).subscription_id);
  };
  const subscriptions = { live: await subscribe('live'), sandbox: await subscribe('sandbox') };
  const { db, vault, log, config: inForce } = t.base;
  const contents = mailContents(t.base, { destination: () => undefined });
  const post = { db, vault, log, clock: t.clock, post: smtpPost(smtp.settings), ...contents };
  const stage: AttackStage = {
    t,
    hook,
    theirs,
    demo,
    rich,
    smtp,
    subscriptions,
    async sell() {
      for (const [key, base] of [
        [demo.sandboxKey, inForce.sandboxBaseUrl],
        [demo.liveKey, inForce.liveBaseUrl],
      ] as const) {
        const body = `product_id=${demo.productId}`;
        const { status, text } = await t.ask('/v3/purchase/buy', {
          key,
          host: { authority: base.host },
          method: 'POST',
          headers: FORM,
          body,
        });
        assert.equal(status, 200, text);
      }
    },
    async mailsTo(address) {
      // The worker may be sending some of them at this moment.
      await eventually('every mail is sent', async () => {
        while ((await sendDue(post)) > 0);
        const open = sql`select 1 as one from mails where sent_at is null and failed_at is null and due_at is not null limit 1`;
        return (await db.maybe(open)) === undefined;
      });
      return smtp.to(address).map(({ text }) => text);
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
  const before = hook.received.length;
  await stage.sell();
  await hook.got(before + 4);
  const opened = undo.move();
  return stage;
}
