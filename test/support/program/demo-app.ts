import type { Demo } from '../../../src/worlds/demo.ts';
import { eventually } from '../eventually.ts';
import type { Receiver } from '../servers/receiver.ts';
import { record, type TestApp } from './app.ts';
import { keptDemo } from './demo-database.ts';

/** The program with the partner and the catalog of a first start, and a receiver that its partner may name. */
export interface DemoApp {
  readonly t: TestApp;
  readonly hook: Receiver;
  readonly demo: Demo;
}

/** What is in the database of an app that was started with `demo`, once the catalog is known. */
export async function demoIn(t: TestApp): Promise<Demo> {
  const demo = await keptDemo(t.base);
  const tokens = [demo.link, demo.operatorLink].flatMap((link) => (link ? new URL(link).hash.slice(1) : []));
  record('secrets', [demo.sandboxKey, demo.liveKey, ...tokens, ''].join('\n'));
  const { host } = t.base.config.sandboxBaseUrl;
  await eventually('the catalog is read', async () => {
    const path = `/v3/catalog/product/${demo.productId}`;
    return (await t.ask(path, { key: demo.sandboxKey, host: { authority: host } })).status === 200;
  });
  return demo;
}
