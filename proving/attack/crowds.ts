import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { testFolder } from '../../test/support/database/folder.ts';
import { wayfare } from '../../test/support/program/cli.ts';
import { ServerProcess } from '../../test/support/program/server-process.ts';
import { type Attack, sized } from './attack.ts';

/** As many connections as visitors keep open at the same time on a busy day. */
const VISITORS_AT_ONCE = 400;

export const crowds: Attack = {
  name: 'crowds',
  tries: 'hundreds of connections hammer one link while thousands of visitors open theirs',
  isLong: true,
  async run(attempt) {
    const [links, visitors] = [sized(attempt, 20, 1_000), sized(attempt, 100, 5_000)];
    const [hammering, seconds] = [sized(attempt, 50, 500), sized(attempt, 1, 10)];
    await using folder = await testFolder(0o700);
    await using server = await ServerProcess.start({ dataDir: folder.path });
    const pages = await soldPages(server, folder.path, links);
    const [hammered = '', ...others] = pages;

    let isOver = false;
    const [hammer, ordinary] = [connections(hammering), connections(VISITORS_AT_ONCE)];
    const blows: number[] = [];
    const attackers = Array.from({ length: hammering }, async () => {
      while (!isOver) blows.push(await visit(hammered, hammer));
    });
    const waited: number[] = [];
    const statuses = await Promise.all(
      Array.from({ length: visitors }, async (_, n) => {
        await wait((n / visitors) * seconds * 1_000);
        const came = performance.now();
        const status = await visit(others[n % others.length] ?? '', ordinary);
        waited.push(performance.now() - came);
        return status;
      }),
    );
    isOver = true;
    await Promise.all(attackers);
    for (const agent of [hammer, ordinary]) agent.destroy();
    waited.sort((a, b) => a - b);
    assert.deepEqual(new Set(statuses), new Set([200]), 'what visitors got');
    attempt.held(
      `${visitors} visitors of ${links} links in ${seconds} s beside ${blows.length} requests for one link: all got their page, ` +
        `half of them within ${waited[waited.length >> 1]?.toFixed()} ms, the last within ${waited.at(-1)?.toFixed()} ms`,
    );
  },
};

const connections = (maxSockets: number): Agent => new Agent({ keepAlive: true, maxSockets });

/** The status of the answer; 0: none came. */
const visit = (url: string, agent: Agent): Promise<number> =>
  new Promise((answered) => {
    request(url, { agent }, (response) => {
      response.resume().on('end', () => answered(response.statusCode ?? 0));
    })
      .on('error', () => answered(0))
      .end();
  });

/** Sells this many sandbox eSIMs and returns the addresses of their pages. */
async function soldPages(server: ServerProcess, dataDir: string, wanted: number): Promise<string[]> {
  const key = /esk_test_\w+/.exec(await server.banner())?.[0] ?? '';
  const command = async (...words: string[]) => (await wayfare({ WAYFARE_DATA: dataDir }, '--json', ...words)).json;
  const [{ key_id }] = await command('key', 'list', '--partner', '1');
  await command('key', 'set', String(key_id), '--ceilings', 'purchase=1000000,read=1000000,money=1000000');
  const api = async (path: string, fields?: Record<string, string>) => {
    const sent = fields && { method: 'POST', body: new URLSearchParams(fields) };
    // The new ceilings reach the server within a second.
    for (;;) {
      const answer = await fetch(server.urls.sandbox + path, { headers: { 'x-api-key': key }, ...sent });
      // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers.
      const body = (await answer.json()) as any;
      if (answer.ok) return body;
      assert.equal(body.error, 'rate_limited', path);
      await wait(100);
    }
  };
  const { products } = await api('/catalog/products?country=JP&limit=1');
  await api('/account/sandboxBalance', { operation: 'set', amount: '1000000.00' });
  for (let sold = 0; sold < wanted; sold += 50)
    await Promise.all(Array.from({ length: 50 }, () => api('/purchase/buy', { product_id: products[0].id })));
  const pages: string[] = [];
  for (let before = ''; pages.length < wanted; ) {
    const { esims } = await api(`/esim/list?limit=100${before}`);
    pages.push(...esims.map(({ share_url }: { share_url: string }) => share_url));
    before = `&before_id=${esims.at(-1).order_id}`;
  }
  return pages;
}
