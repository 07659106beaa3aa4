import { after } from 'node:test';
import { type MailJobParts, sendDue } from '../../../../src/domains/messages/mail/job.ts';
import { smtpPost } from '../../../../src/domains/messages/mail/send.ts';
import type { MailSettings } from '../../../../src/platform/settings/mail.ts';
import { mailContents } from '../../../../src/work.ts';
import { type TestApp, testApp } from '../../../support/program/app.ts';
import { run } from '../../../support/program/operator.ts';
import { type SmtpServer, smtpServer } from '../../../support/servers/smtp.ts';

/** An app that serves one part of the product, queues mail and leaves the sending to the test, with an SMTP server beside it. */
interface MailStage {
  readonly t: TestApp;
  readonly smtp: SmtpServer;
  /** What the job works with; the settings of another server can be given. */
  parts(settings?: MailSettings): MailJobParts;
  /** Runs the job until nothing is due. */
  sendAll(settings?: MailSettings): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the command answers.
  list(address: string): Promise<any[]>;
}

export async function mailStage(role: 'api' | 'panel' = 'panel'): Promise<MailStage> {
  const smtp = await smtpServer();
  after(() => smtp[Symbol.asyncDispose]());
  // Serves, and works on nothing by itself.
  const t = await testApp({ config: { mail: smtp.settings, trustedProxies: ['127.0.0.1'] }, role });
  after(() => t[Symbol.asyncDispose]());
  const { db, vault, log } = t.base;
  const parts = (settings = smtp.settings) => {
    return {
      db,
      vault,
      log,
      clock: t.clock,
      post: smtpPost(settings),
      ...mailContents(t.base, { destination: () => undefined }),
    };
  };
  return {
    t,
    smtp,
    parts,
    async sendAll(settings) {
      while ((await sendDue(parts(settings))) > 0);
    },
    list: async (address) =>
      (await run(t.operator(), 'mail list --limit 1000')).filter(({ to }: { to: string }) => to === address),
  };
}
