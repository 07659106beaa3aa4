import { setTimeout as wait } from 'node:timers/promises';
import { type Dice, dice } from '../chaos/dice.ts';
import type { WorldName } from '../chaos/model.ts';
import { CEILINGS } from '../chaos/settings.ts';
import type { Answer, Site } from '../chaos/site.ts';
import { requireThat } from '../chaos/violation.ts';

/** Requests and their outcomes. */
export interface Done {
  requests: number;
  bought: number;
  refunds: number;
  /** Purchases whose charge was still being written when their time was up, and that were sent again under their key. */
  askedAgain: number;
  /** Unexpected answers. */
  readonly failures: string[];
}

const WORLDS = ['live', 'sandbox'] as const;
const KEPT = 200;
const TRIES = 10;
const BETWEEN_TRIES_MS = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: whatever the command answers.
async function done(site: Site, ...words: string[]): Promise<any> {
  const ended = await site.operator(...words);
  requireThat(ended.outcome === 'done', `${words.join(' ')} failed`, ended);
  return ended.result;
}

/** A partner that buys, reads, refunds and listens, at a steady rate. */
export class Load {
  readonly done: Done = { requests: 0, bought: 0, refunds: 0, askedAgain: 0, failures: [] };
  readonly #site: Site;
  readonly #dice: Dice = dice(30);
  readonly #keys: Readonly<Record<WorldName, string>>;
  readonly #products: readonly string[];
  readonly #recent: Record<WorldName, number[]> = { live: [], sandbox: [] };
  readonly #cookie: string;
  #number = 0;

  private constructor(site: Site, keys: Record<WorldName, string>, products: readonly string[], cookie: string) {
    this.#site = site;
    this.#keys = keys;
    this.#products = products;
    this.#cookie = cookie;
  }

  /** Each world has a receiver that always answers, and one that is sometimes away. */
  static async open(site: Site, signIn: (site: Site, partner: number) => Promise<string>): Promise<Load> {
    const words = ['--name', 'Soak', '--email', 'soak@example.com', '--billing', 'prepaid'];
    const { partner_id: partner } = await done(site, 'partner', 'create', ...words);
    await done(site, 'wallet', 'credit', '--partner', `${partner}`, '--amount', '9000000.00');
    const keys = { live: '', sandbox: '' };
    for (const [i, world] of WORLDS.entries()) {
      const made = await done(site, 'key', 'create', '--partner', `${partner}`, '--mode', world);
      await done(site, 'key', 'set', `${made.key_id}`, '--ceilings', CEILINGS);
      keys[world] = made.key;
      for (const receiver of site.receivers.slice(2 * i, 2 * i + 2))
        await done(site, 'webhook', 'create', '--partner', `${partner}`, '--mode', world, '--url', receiver.url);
    }
    const { rows } = await site.snapshot((client) =>
      client.query(`select alias from shared.plans join shared.suppliers on suppliers.id = supplier_id
        where on_sale and kind = 'simulated' and cost > 0 order by list_price, plans.id limit 12`),
    );
    return new Load(
      site,
      keys,
      rows.map(({ alias }) => alias),
      await signIn(site, partner),
    );
  }

  /** One request, whichever the dice say. */
  async one(): Promise<void> {
    this.done.requests++;
    const world = this.#dice.of(WORLDS);
    const kind = this.#dice.below(100);
    if (kind < 45) return this.#buy(world);
    if (kind < 50) return this.#refund(world);
    if (kind < 60) return this.#panel(world);
    const order = this.#dice.of(this.#recent[world].length > 0 ? this.#recent[world] : [1]);
    const path = this.#dice.of([
      `/order/detail/${order}`,
      '/order/get?limit=20',
      '/account/balance',
      '/account/history',
      '/catalog/products?country=JP',
      '/esim/list',
      '/webhook/deliveries',
      `/purchase/quote?product_id=${this.#dice.of(this.#products)}`,
    ]);
    this.#check(path, await this.#site.call(world, this.#keys[world], path), [200, 404]);
  }

  /** Refills the sandbox balance. */
  async refillSandbox(): Promise<void> {
    await this.#site.call('sandbox', this.#keys.sandbox, '/account/sandboxBalance', {
      operation: 'set',
      amount: '1000000',
    });
  }

  async #buy(world: WorldName): Promise<void> {
    const wanted = { product_id: this.#dice.of(this.#products), idempotency_key: `soak-${++this.#number}` };
    const send = () => this.#site.call(world, this.#keys[world], '/purchase/buy', wanted);
    let answer = await send();
    // What the contract says of it: the same key returns the outcome. A busy machine has these, and a purchase that stays in this
    // state, or comes back as another order, is a failure.
    const begun = answer?.body.error === 'charge_in_progress' ? answer.body.order_id : undefined;
    if (begun !== undefined) this.done.askedAgain++;
    for (let left = TRIES; begun !== undefined && left > 0 && answer?.body.error === 'charge_in_progress'; left--) {
      await wait(BETWEEN_TRIES_MS);
      answer = await send();
    }
    this.#check('/purchase/buy', answer, [200, 202]);
    if (begun !== undefined && answer?.body.result === 'ok' && answer.body.order_id !== begun)
      this.#failed(`/purchase/buy: order ${begun} became ${answer.body.order_id} under the same key`);
    if (answer?.body.result !== 'ok') return;
    this.done.bought++;
    const recent = this.#recent[world];
    recent.push(answer.body.order_id);
    if (recent.length > KEPT) recent.shift();
  }

  async #refund(world: WorldName): Promise<void> {
    const order = this.#recent[world].pop();
    if (order === undefined) return;
    const answer = await this.#site.call(world, this.#keys[world], '/order/refund', { order_id: `${order}` });
    this.#check('/order/refund', answer, [200, 409]);
    if (answer?.status === 200) this.done.refunds++;
  }

  async #panel(world: WorldName): Promise<void> {
    const path = this.#dice.of([`/api/${world}/orders`, `/api/${world}/requests`, `/api/${world}/overview`, '/api/me']);
    const { status } = await fetch(this.#site.server.urls.panel + path, { headers: { cookie: this.#cookie } });
    if (status >= 400 && status !== 429) this.#failed(`${path}: ${status}`);
  }

  #check(path: string, answer: Answer | undefined, allowed: readonly number[]): void {
    if (!answer || !allowed.includes(answer.status)) this.#failed(`${path}: ${answer?.text ?? 'no answer'}`);
  }

  #failed(what: string): void {
    if (this.done.failures.length < 20) this.done.failures.push(what.slice(0, 300));
  }
}
