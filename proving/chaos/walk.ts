import { allOf } from './all-of.ts';
import { requireBooks } from './books.ts';
import { compare, mayHaveChanged } from './check.ts';
import {
  behave,
  deliveriesUnderWay,
  hurry,
  openOrders,
  ordersOfMissing,
  prove,
  readDeferred,
  unsettledReturns,
} from './checkpoint.ts';
import { dice } from './dice.ts';
import { Events } from './events.ts';
import { faults, recovered, strike } from './faults.ts';
import { requireCost } from './ledger.ts';
import { Model, type Product, type WorldName } from './model.ts';
import { Months, SELLER } from './months.ts';
import { drawRound } from './operations.ts';
import { insist, keyOf, type Operation, type Scene } from './scene.ts';
import { setUp } from './setup.ts';
import { Site } from './site.ts';
import { takeSnapshot } from './snapshot.ts';
import { requireThat } from './violation.ts';

interface WalkOptions {
  readonly seed: number;
  readonly isOver: (round: number) => boolean;
  /** One round in this many breaks something. */
  readonly faultEvery: number;
  /** Multiplies the three partners and the operations of a round; 1 by default. */
  readonly crowd?: number;
  /** Called after each checkpoint that passed. */
  readonly told?: (walked: Walked) => void;
}

export interface Walked {
  readonly rounds: number;
  readonly operations: number;
  readonly faults: number;
  readonly orders: number;
  readonly events: number;
  /** eSIMs that were replaced, and changes of their service. */
  readonly replaced: number;
  readonly switched: number;
  /** Invoices and credit notes that were read. */
  readonly documents: number;
  /** Refills that eSIMs bought by themselves, and rules that stopped. */
  readonly refilled: number;
  readonly stopped: number;
  /** Requests for help. */
  readonly helps: number;
  /** How often a request was answered 503 while nothing was broken. */
  readonly busy: number;
}

const CHECKPOINT_EVERY = 60;
const FULL_CHECK_EVERY = 20;
const LAST_SHOWN = 25;
const CATCH_UP_MS = 180_000;
/** On a busy machine a supplier may seem silent once more. */
const HURRY_MS = 10_000;

/**
 * A random walk: rounds of overlapping operations, some with a fault in between. After each round lost answers are resolved, and
 * the whole installation must equal the model.
 */
export async function walk({ seed, isOver, faultEvery, crowd = 1, told = () => {} }: WalkOptions): Promise<Walked> {
  await using site = await Site.open(crowd, { inMemory: true, more: SELLER });
  const walker = new Walker(site, { seed, faultEvery, crowd, told });
  try {
    await setUp(site, walker.model, walker.events, crowd);
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
  readonly #months: Months;
  readonly #seed: number;
  readonly #faultEvery: number;
  readonly #crowd: number;
  readonly #told: (walked: Walked) => void;
  readonly #labels: string[] = [];
  #number = 0;
  #operations = 0;
  #faults = 0;
  #unfinished: (() => Promise<void>)[] = [];

  constructor(site: Site, { seed, faultEvery, crowd, told }: Omit<Required<WalkOptions>, 'isOver'>) {
    this.#faultEvery = faultEvery;
    this.#crowd = crowd;
    this.site = site;
    this.dice = dice(seed);
    this.#months = new Months(seed);
    this.#seed = seed;
    this.#told = told;
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
    return {
      rounds,
      operations: this.#operations,
      faults: this.#faults,
      orders,
      events: events.count,
      replaced: [...model.replacements.values()].filter(({ status }) => status === 'replaced').length,
      switched: model.living.all.reduce((sum, { switches }) => sum + switches, 0),
      refilled: [...model.orders.values()].reduce((sum, { autorefills }) => sum + autorefills.length, 0),
      stopped: [...model.orders.values()].reduce((sum, { stops }) => sum + stops, 0),
      helps: [...model.orders.values()].reduce((sum, { helps }) => sum + helps, 0),
      documents: this.#months.documents,
      busy: model.busy,
    };
  }

  async step(): Promise<void> {
    const { model, site, dice: chance } = this;
    const round = model.round + 1;
    const fault = round % this.#faultEvery === 0 ? faults[this.#faults % faults.length] : undefined;
    model.begin(fault !== undefined);
    const drawn = [...drawRound(this, model.faulted, this.#crowd), ...this.#months.draw(this)];
    // The other operations start when everything works again, while the outcome of the first is still being looked up.
    const first = fault ? drawn.splice(0, Math.ceil(drawn.length / 2)) : drawn.splice(0);
    const running = allOf(first.map((operation) => this.#run(operation)));
    running.catch(() => {});
    if (fault) {
      this.#note(`-- ${fault}`);
      this.#faults++;
      await strike(site, fault, chance, this.#crowd);
    }
    await running;
    if (fault) await recovered(site, model.partners);
    model.broken = false;
    const others = allOf(drawn.map((operation) => this.#run(operation)));
    await allOf([others, this.#finish()]);
    await this.#finish();
    await this.#check(round % FULL_CHECK_EVERY === 0);
    if (fault) await prove(this);
    if (round % CHECKPOINT_EVERY === 0) await this.checkpoint();
  }

  /** Lets everything finish and checks all of it. */
  async checkpoint(): Promise<void> {
    const { model, site, events } = this;
    this.#note('-- checkpoint');
    model.begin(true);
    await behave(this);
    await recovered(site, model.partners);
    model.broken = false;
    await readDeferred(this);
    const end = Date.now() + CATCH_UP_MS;
    let hurryAt = Date.now() + HURRY_MS;
    await this.#check(true);
    for (;;) {
      await this.#check(false);
      events.takeIn(model);
      const { open } = model.living;
      const unpaid = [...model.topups.values()].filter(
        ({ paid, credited, world }) => world === 'live' && paid === 'yes' && !credited,
      );
      const { restless, unsettled, refilling } = model;
      const waits = open.length + unpaid.length + restless.size + unsettled.size + refilling.size;
      const missing = waits > 0 ? [] : events.missing(model);
      if (waits + missing.length === 0) break;
      if (Date.now() > hurryAt) {
        await hurry(this);
        await readDeferred(this);
        hurryAt = Date.now() + HURRY_MS;
      }
      const waiting = {
        open: open.map(({ world, id }) => `${world} ${id}`),
        unpaid: unpaid.map(({ key }) => key),
        replacing: [...model.unsettled].map(({ old, status }) => `${old.world} ${old.id} ${status}`),
        refilling: [...model.refilling].map(({ world, id, rule }) => `${world} ${id} ${JSON.stringify(rule)}`),
        refunding: [...model.restless].map(({ world, id }) => `${world} ${id}`),
        missing,
      };
      if (Date.now() > end)
        requireThat(false, 'something never came to its end', {
          ...waiting,
          underWay: await deliveriesUnderWay(this),
          ofMissing: await ordersOfMissing(this, missing),
          orders: await openOrders(this),
          returns: await unsettledReturns(this),
          server: site.lastWords,
        });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await this.#months.check(this);
    requireCost(model, await prove(this));
    await requireBooks(this);
    this.#told(this.walked);
  }

  /** Resolves the requests whose answers were lost. */
  async #finish(): Promise<void> {
    while (this.#unfinished.length > 0) await allOf(this.#unfinished.splice(0).map((finish) => finish()));
  }

  async #run(operation: Operation): Promise<void> {
    this.#operations++;
    this.#note(operation.label);
    await operation.run();
  }

  #note(label: string): void {
    this.#labels.push(`${this.model.round}/${this.#operations} ${label}`);
  }

  async #check(everyOrder: boolean): Promise<void> {
    const { model, site } = this;
    const changed = model.products.filter(({ list, onSale }) => list.isChanging || onSale.isChanging);
    const revoked = model.partners
      .flatMap(({ keys }) => [...keys.live, ...keys.sandbox])
      .filter((one) => one.revoked.isChanging);
    const only = everyOrder ? undefined : mayHaveChanged(model);
    const products = model.products.map(({ alias }) => alias);
    compare(model, await takeSnapshot(site, { products, only }), everyOrder);
    this.events.takeIn(model);
    await allOf(changed.map((product) => this.#known(product)));
    await allOf(revoked.filter((one) => one.revoked.value).map(({ key }) => this.#refused(key)));
  }

  async #refused(key: string): Promise<void> {
    await insist('a revoked key is refused', async () => {
      const answers = [
        await this.site.call('live', key, '/account/balance'),
        await this.site.call('sandbox', key, '/account/balance'),
      ];
      return answers.every((answer) => answer?.status === 401) || undefined;
    });
  }

  /** The server picks up a price change within moments; from then on nothing is sold at the old price. */
  async #known({ alias, list, onSale }: Product): Promise<void> {
    const [partner] = this.model.partners;
    requireThat(partner, 'there are partners');
    await insist(`the catalog has the change of ${alias}`, async () => {
      const answer = await this.site.call('live', keyOf(partner, 'live').key, `/catalog/product/${alias}`);
      if (answer?.status === 404) return !onSale.value || undefined;
      return (onSale.value && Math.round(answer?.body.product?.price * 100) === list.value) || undefined;
    });
  }

  /** What was done with the order that is named, and with its eSIM. */
  #historyOf(named: readonly string[] | null): string[] {
    const [name, world, id] = named ?? [];
    const order = id === undefined ? undefined : this.model.order(world as WorldName, Number(id));
    if (!order) return [];
    const { iccid, state, used, refills, replacements } = order;
    const facts = {
      state,
      used,
      refills: refills.map((one) => [one.id, one.round, one.state, one.reason]),
      replacements: replacements.map((one) => [one.id, one.status, one.became, one.order?.id]),
    };
    const names = [name, iccid, ...refills.map((one) => `${world} order ${one.id}`)].filter((one) => one !== undefined);
    const about = new RegExp(`(${names.join('|')})\\b`);
    const lines = this.#labels.filter((line) => about.test(line));
    return [`${name}: ${JSON.stringify(facts)}`, ...lines.map((line) => `  ${line}`)];
  }

  report(error: unknown): string {
    const what = error instanceof Error ? error.message : String(error);
    return [
      `seed ${this.#seed}, round ${this.model.round}, operation ${this.#operations}: ${what}`,
      'the last operations:',
      ...this.#labels.slice(-LAST_SHOWN).map((line) => `  ${line}`),
      ...this.#historyOf(what.match(/(live|sandbox) order (\d+)/)),
      `the server: ${JSON.stringify(this.site.lastWords)}`,
      `repeat it: npm run chaos -- --seed ${this.#seed} --fault-every ${this.#faultEvery} --crowd ${this.#crowd}`,
    ].join('\n');
  }
}
