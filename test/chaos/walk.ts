import { compare } from './check.ts';
import { behave, deliveriesUnderWay, prove, readDeferred } from './checkpoint.ts';
import { dice } from './dice.ts';
import { Events } from './events.ts';
import { faults, recovered, strike } from './faults.ts';
import { Model, type Product } from './model.ts';
import { drawRound } from './operations.ts';
import { insist, keyOf, type Operation, type Scene } from './scene.ts';
import { setUp } from './setup.ts';
import { Site } from './site.ts';
import { takeSnapshot } from './snapshot.ts';
import { requireThat } from './violation.ts';

export interface WalkOptions {
  readonly seed: number;
  readonly isOver: (round: number) => boolean;
  /** One round in so many breaks something. */
  readonly faultEvery: number;
  readonly say?: (line: string) => void;
}

export interface Walked {
  readonly rounds: number;
  readonly operations: number;
  readonly faults: number;
  readonly orders: number;
  readonly events: number;
}

const CHECKPOINT_EVERY = 60;
const FULL_CHECK_EVERY = 20;
const LAST_SHOWN = 25;
const CATCH_UP_MS = 60_000;

/**
 * A random walk: rounds of operations that overlap, some with a fault in their midst. After each round what became of lost
 * answers is found out, and the whole installation must equal the model.
 */
export async function walk({ seed, isOver, faultEvery, say = () => {} }: WalkOptions): Promise<Walked> {
  await using site = await Site.open();
  const walker = new Walker(site, seed, faultEvery, say);
  try {
    await setUp(site, walker.model, walker.events);
    while (!isOver(walker.model.round)) await walker.step();
    await walker.checkpoint();
    return walker.walked;
  } catch (error) {
    throw new Error(walker.report(error), { cause: error });
  }
}

class Walker implements Scene {
  readonly site: Site;
  readonly model = new Model();
  readonly events = new Events();
  readonly dice;
  readonly #seed: number;
  readonly #faultEvery: number;
  readonly #say: (line: string) => void;
  readonly #last: string[] = [];
  #number = 0;
  #operations = 0;
  #faults = 0;
  #unfinished: (() => Promise<void>)[] = [];

  constructor(site: Site, seed: number, faultEvery: number, say: (line: string) => void) {
    this.#faultEvery = faultEvery;
    this.site = site;
    this.dice = dice(seed);
    this.#seed = seed;
    this.#say = say;
  }

  next(): number {
    return ++this.#number;
  }

  later(finish: () => Promise<void>): void {
    this.#unfinished.push(finish);
  }

  get walked(): Walked {
    const { model, events } = this;
    const [rounds, orders] = [model.round, model.orders.size];
    return { rounds, operations: this.#operations, faults: this.#faults, orders, events: events.count };
  }

  async step(): Promise<void> {
    const { model, site, dice: chance } = this;
    const round = ++model.round;
    const fault = round % this.#faultEvery === 0 ? faults[this.#faults % faults.length] : undefined;
    model.faulted = fault !== undefined;
    const drawn = drawRound(this, model.faulted);
    const running = allOf(drawn.map((operation) => this.#run(operation)));
    running.catch(() => {});
    if (fault) {
      this.#note(`-- ${fault}`);
      this.#faults++;
      await strike(site, fault, chance);
    }
    await running;
    if (fault) await recovered(site, model.partners);
    await allOf(this.#unfinished.splice(0).map((finish) => finish()));
    await this.#check(round % FULL_CHECK_EVERY === 0);
    if (fault) await prove(this);
    if (round % CHECKPOINT_EVERY === 0) await this.checkpoint();
  }

  /** Lets everything come to its end and checks all of it. */
  async checkpoint(): Promise<void> {
    const { model, site, events } = this;
    this.#note('-- checkpoint');
    model.round++;
    model.faulted = true;
    await behave(this);
    await recovered(site, model.partners);
    await readDeferred(this);
    const end = Date.now() + CATCH_UP_MS;
    await this.#check(true);
    for (;;) {
      await this.#check(false);
      events.takeIn(model);
      const open = [...model.orders.values()].filter(({ state, deleted }) => state === 'open' && !deleted);
      const unpaid = [...model.topups.values()].filter(
        ({ paid, credited, world }) => world === 'live' && paid === 'yes' && !credited,
      );
      const missing = open.length + unpaid.length > 0 ? [] : events.missing(model);
      if (open.length + unpaid.length + missing.length === 0) break;
      const waiting = {
        open: open.map(({ world, id }) => `${world} ${id}`),
        unpaid: unpaid.map(({ key }) => key),
        missing,
      };
      if (Date.now() > end)
        requireThat(false, 'something never came to its end', { ...waiting, underWay: await deliveriesUnderWay(this) });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await prove(this);
    const { rounds, operations, orders, events: heard, faults: struck } = this.walked;
    this.#say(
      `${rounds} rounds, ${operations} operations, ${orders} orders, ${heard} events, ${struck} faults: all as it must be`,
    );
  }

  async #run(operation: Operation): Promise<void> {
    this.#operations++;
    this.#note(operation.label);
    await operation.run();
  }

  #note(label: string): void {
    this.#last.push(`${this.model.round}/${this.#operations} ${label}`);
    if (this.#last.length > LAST_SHOWN) this.#last.shift();
  }

  async #check(everyOrder: boolean): Promise<void> {
    const { model, site } = this;
    const all = everyOrder || model.resets.size > 0;
    const changed = model.products.filter(({ list, onSale }) => list.isChanging || onSale.isChanging);
    const revoked = model.partners
      .flatMap(({ keys }) => [...keys.live, ...keys.sandbox])
      .filter((one) => one.revoked.isChanging);
    const known = [...model.orders.values()];
    const latest = (world: string) =>
      Math.max(0, ...known.filter((one) => one.world === world && one.round < model.round).map(({ id }) => id));
    const orders = all
      ? undefined
      : {
          after: { live: latest('live'), sandbox: latest('sandbox') },
          open: known.filter(({ state, deleted }) => state === 'open' && !deleted).map(({ id }) => id),
        };
    compare(model, await takeSnapshot(site, { products: model.products.map(({ alias }) => alias), orders }), all);
    this.events.takeIn(model);
    for (const product of changed) await this.#known(product);
    for (const { key, revoked: now } of revoked)
      if (now.value)
        await insist('a revoked key is refused', async () => {
          const answers = [
            await site.call('live', key, '/account/balance'),
            await site.call('sandbox', key, '/account/balance'),
          ];
          return answers.every((answer) => answer?.status === 401) || undefined;
        });
  }

  /** The running catalog hears of a change within moments; from then on nothing is sold at the old price. */
  async #known({ alias, list, onSale }: Product): Promise<void> {
    const [partner] = this.model.partners;
    requireThat(partner, 'there are partners');
    await insist(`the catalog hears of ${alias}`, async () => {
      const answer = await this.site.call('live', keyOf(partner, 'live').key, `/catalog/product/${alias}`);
      if (answer?.status === 404) return !onSale.value || undefined;
      return (onSale.value && Math.round(answer?.body.product?.price * 100) === list.value) || undefined;
    });
  }

  report(error: unknown): string {
    const what = error instanceof Error ? error.message : String(error);
    return [
      `seed ${this.#seed}, round ${this.model.round}, operation ${this.#operations}: ${what}`,
      'the last operations:',
      ...this.#last.map((line) => `  ${line}`),
      `repeat it: npm run chaos -- --seed ${this.#seed} --fault-every ${this.#faultEvery}`,
    ].join('\n');
  }
}

/** Waits for all of them, and then throws what the first one threw. */
async function allOf(running: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(running);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}
