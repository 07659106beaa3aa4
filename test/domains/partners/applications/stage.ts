import { after } from 'node:test';
import { mailSignUp } from '../../../../src/actions/partners/sign-up.ts';
import { sendDue } from '../../../../src/domains/messages/mail/job.ts';
import { smtpPost } from '../../../../src/domains/messages/mail/send.ts';
import type { Config } from '../../../../src/platform/settings/config.ts';
import { mailContents } from '../../../../src/work.ts';
import { type Answer, record, type TestApp, testApp } from '../../../support/program/app.ts';
import { type Browser, browser, PASSWORD, someEmail } from '../../../support/program/panel.ts';
import { type SmtpServer, smtpServer } from '../../../support/servers/smtp.ts';

/** An app where strangers can sign up, with an SMTP server beside it. Its jobs are left to the test. */
interface SignUpStage {
  readonly t: TestApp;
  readonly smtp: SmtpServer;
  /** From a network of its own, unless a test gives one. */
  signUp(email: string, address?: string, more?: object): Promise<Answer>;
  /** Answers what strangers asked for, and sends all mail. */
  answered(): Promise<void>;
  /** The token in the last mail to an address; '' if there is none. */
  tokenTo(email: string): string;
  /** Somebody who has signed up and opened their account. */
  newcomer(email?: string): Promise<Browser & { readonly email: string; readonly secret: string; partnerId: number }>;
}

export async function signUpStage(mode: Config['signUp']): Promise<SignUpStage> {
  const smtp = await smtpServer();
  after(() => smtp[Symbol.asyncDispose]());
  const config = { mail: smtp.settings, trustedProxies: ['127.0.0.1'], signUp: mode };
  const t = await testApp({ config, role: 'panel' });
  after(() => t[Symbol.asyncDispose]());
  record('secrets', `${PASSWORD}\n`);
  let sources = 0;
  const self: SignUpStage = {
    t,
    smtp,
    signUp: (email, address = `2001:db8:${(++sources).toString(16)}::1`, more = {}) =>
      browser(t).post(
        '/api/sign-up',
        { name: 'Ana Silva', company: 'Island Hopper', email, ...more },
        { headers: { 'x-forwarded-for': address } },
      ),
    async answered() {
      while ((await mailSignUp(t.base)) > 0);
      const { db, vault, log } = t.base;
      const contents = mailContents(t.base, { destination: () => undefined });
      const parts = { db, vault, log, clock: t.clock, post: smtpPost(smtp.settings), ...contents };
      while ((await sendDue(parts)) > 0);
    },
    tokenTo(email) {
      const token =
        smtp
          .to(email)
          .at(-1)
          ?.text.match(/wfl_[\w-]+/)?.[0] ?? '';
      if (token !== '') record('secrets', `${token}\n`);
      return token;
    },
    async newcomer(email = someEmail()) {
      await self.signUp(email);
      await self.answered();
      const who = browser(t);
      const { body } = await who.post('/api/sign-up/accept', { token: self.tokenTo(email), password: PASSWORD });
      const partnerId = (await who.get('/api/me')).body.partner.id;
      return Object.assign(who, { email, secret: body.secret, partnerId });
    },
  };
  return self;
}

export const LIVE_FORM = {
  company: 'Island Hopper Ltd',
  address: '1 Harbour Road\nNassau',
  country: 'Bahamas',
  tax_number: 'BS-123',
  volume: '200 eSIMs a month',
  use: 'Ferry passengers',
};
