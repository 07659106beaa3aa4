import { performance } from 'node:perf_hooks';
import { Agent, request } from 'undici';
import { sign, signingKey, webhookHeaders } from '../../../src/domains/messages/webhooks/send/signature.ts';
import { answerParent } from './child.ts';

/** The yardstick: the same HTTP client, keep-alive, the same headers and signatures, and nothing else. */
export interface RawLoop {
  readonly url: string;
  readonly secret: string;
  readonly body: string;
  readonly concurrency: number;
  readonly seconds: number;
}

answerParent<RawLoop>(
  async ({ url, secret, body, concurrency, seconds }) => {
    const agent = new Agent({ allowH2: false });
    const until = performance.now() + seconds * 1000;
    const cpuBefore = process.cpuUsage();
    const key = signingKey(secret);
    let sent = 0;
    const loop = async () => {
      while (performance.now() < until) {
        const eventId = `order.paid:${sent}:1`;
        const headers = webhookHeaders(BigInt(sent), 'order.paid', eventId, sign([key], eventId, body, Date.now()));
        const answer = await request(url, { method: 'POST', headers, body, dispatcher: agent });
        await answer.body.text();
        if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
        sent += 1;
      }
    };
    const started = performance.now();
    await Promise.all(Array.from({ length: concurrency }, loop));
    const elapsed = (performance.now() - started) / 1000;
    const { user, system } = process.cpuUsage(cpuBefore);
    await agent.close();
    return { perSecond: sent / elapsed, cpuMicroseconds: (user + system) / sent };
  },
  async () => {},
);
