import { type Dice, dice } from './dice.ts';
import { definite, insist, type Operation, type Scene } from './scene.ts';
import { unlimit } from './settings.ts';
import type { Answer } from './site.ts';
import { requireThat } from './violation.ts';

/*
 * Accounts whose sandbox clock runs through the months while they buy and give back, so that months are closed all the time, by the job and
 * by whoever reads: by every process, and killed anywhere. They belong to nobody else in the walk, because a month expires eSIMs, and
 * have their own dice.
 *
 * What they bought and got back is kept from the answers. At every checkpoint the documents must come to exactly that: in all, and for
 * the account whose clock stands still while it buys, month by month.
 */

export const SELLER = {
  SELLER_NAME: 'Chaos & Söhne GmbH',
  SELLER_ADDRESS: 'Street 1|10115 Berlin',
  SELLER_COUNTRY: 'DE',
  SELLER_VAT_ID: 'DE123456789',
  SELLER_TAX_RATE: '19',
} as const;

interface Bought {
  readonly orderId: string;
  readonly cents: number;
  readonly month: string;
  givenBack?: { readonly cents: number; readonly month: string };
  /** Its return was asked for. */
  isAsked?: true;
}

interface Account {
  readonly partnerId: number;
  readonly key: string;
  /** Its clock is not turned while it buys or gives back, so the month of each is known. */
  readonly isCalm: boolean;
  readonly bought: Map<string, Bought>;
  /** Documents as they were first read. */
  readonly documents: Map<string, string>;
  aheadDays: number;
}

interface Row {
  readonly number: string;
  readonly kind: 'invoice' | 'credit_note';
  readonly status: string;
  readonly month: string;
  readonly net: string;
  readonly tax: string;
  readonly total: string;
  readonly credits: string | null;
}

const DAY_SECONDS = 86_400;
/** Beyond this an account is left, and another takes its place: clocks go at most two years ahead. */
const FURTHEST_DAYS = 600;
/** More than any month has. */
const MONTH_DAYS = 32;
const PAGE = 100;

const centsOf = (amount: string | number): number => Math.round(Number(amount) * 100);
const monthOf = (at: string): string => at.slice(0, 7);
const sumOf = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

export class Months {
  readonly #dice: Dice;
  readonly #accounts: Account[] = [];
  readonly #left: Account[] = [];
  #number = 0;

  constructor(seed: number) {
    this.#dice = dice(seed);
  }

  get documents(): number {
    return sumOf([...this.#accounts, ...this.#left].map(({ documents }) => documents.size));
  }

  /** What happens to the accounts in this round. */
  draw(scene: Scene): Operation[] {
    const operations: Operation[] = [];
    for (const isCalm of [true, false]) {
      const account = this.#accounts.find((one) => one.isCalm === isCalm);
      if (!account || account.aheadDays > FURTHEST_DAYS) {
        if (scene.model.faulted) continue;
        if (account) this.#leave(account);
        operations.push({ label: 'an account for its months', run: () => this.#open(scene, isCalm) });
        continue;
      }
      const goes = () => this.#passDays(scene, account, this.#dice.of([1, 9, 20, 31]));
      const others = Array.from({ length: this.#dice.below(4) }, () => this.#other(scene, account));
      if (!isCalm) operations.push(goes(), ...others);
      else if (this.#dice.chance(40)) operations.push(goes());
      else operations.push(...others);
    }
    return operations;
  }

  /** Closes every month there is, and holds the documents against what was bought and given back. */
  async check(scene: Scene): Promise<void> {
    for (const account of this.#accounts) {
      await this.#passDays(scene, account, MONTH_DAYS).run();
      const rows = await insist('invoice/list', () => this.#read(scene, account));
      this.#requireTotals(account, rows);
    }
  }

  #leave(account: Account): void {
    this.#accounts.splice(this.#accounts.indexOf(account), 1);
    this.#left.push(account);
  }

  async #open({ site }: Scene, isCalm: boolean): Promise<void> {
    const words = ['partner', 'create', '--name', 'Months', '--email', 'months@example.com'];
    const made = await site.operator(...words);
    requireThat(made.outcome === 'done', 'partner create', made);
    const partnerId: number = made.result.partner_id;
    const key = await site.operator('key', 'create', '--partner', `${partnerId}`, '--mode', 'sandbox');
    requireThat(key.outcome === 'done', 'key create', key);
    await unlimit(site, key.result.key_id);
    const account = { partnerId, key: key.result.key, isCalm, bought: new Map(), documents: new Map(), aheadDays: 0 };
    this.#accounts.push(account);
  }

  #other(scene: Scene, account: Account): Operation {
    const kind = this.#dice.of(['buy', 'buy', 'buy', 'give back', 'give back', 'read', 'void'] as const);
    switch (kind) {
      case 'buy':
        return this.#buy(scene, account);
      case 'give back':
        return this.#giveBack(scene, account) ?? this.#buy(scene, account);
      case 'read':
        return {
          label: `${account.partnerId} reads its invoices`,
          run: () => this.#toTheEnd(scene, 'invoice/list', () => this.#read(scene, account)),
        };
      case 'void':
        return this.#void(scene, account) ?? this.#buy(scene, account);
    }
  }

  #passDays(scene: Scene, account: Account, days: number): Operation {
    const ask = () =>
      this.#ask(scene, account, '/sandbox/clock', { advance: `${days * DAY_SECONDS}` }, ({ status, body }) => {
        requireThat(status === 200, 'sandbox/clock', body);
        account.aheadDays = Math.ceil(body.ahead_seconds / DAY_SECONDS);
      });
    return {
      label: `${days} days pass for ${account.partnerId}`,
      run: () => this.#toTheEnd(scene, 'sandbox/clock', ask),
    };
  }

  #buy(scene: Scene, account: Account): Operation {
    const product = this.#dice.of(scene.model.plans);
    const copies = this.#dice.of([1, 1, 2, 4]);
    const form = { product_id: product.alias, idempotency_key: `months-${++this.#number}` };
    const ask = () =>
      this.#ask(scene, account, '/purchase/buy', form, ({ status, body }) => {
        // Prices and balances change all the time.
        if (status !== 200) return;
        const { id, sale_price, date } = body.order;
        const bought = { orderId: id, cents: centsOf(sale_price), month: monthOf(date) };
        const known = account.bought.get(id) ?? bought;
        const is = [bought.cents, bought.month];
        requireThat(JSON.stringify(is) === JSON.stringify([known.cents, known.month]), 'an order changed', body);
        account.bought.set(id, known);
      });
    return {
      label: `${account.partnerId} buys ${copies} × ${product.alias} in its month`,
      run: () => this.#toTheEnd(scene, 'a purchase in its month', ask, copies),
    };
  }

  #giveBack(scene: Scene, account: Account): Operation | undefined {
    const all = [...account.bought.values()].filter(({ isAsked }) => !isAsked);
    if (all.length === 0) return undefined;
    const order = this.#dice.of(all);
    order.isAsked = true;
    const ask = () =>
      this.#ask(scene, account, '/order/refund', { order_id: order.orderId }, ({ status, body }) => {
        // One that has expired meanwhile is left to the operator.
        if (status !== 200 || body.refund.status !== 'refunded') return;
        order.givenBack = { cents: centsOf(body.refund.amount), month: monthOf(body.refund.decided_at) };
      });
    return {
      label: `${account.partnerId} gives order ${order.orderId} back`,
      run: () => this.#toTheEnd(scene, 'a refund in its month', ask, this.#dice.of([1, 2])),
    };
  }

  #void(scene: Scene, account: Account): Operation | undefined {
    const numbers = [...account.documents.keys()];
    if (numbers.length === 0) return undefined;
    const number = this.#dice.of(numbers);
    const ask = () =>
      this.#ask(scene, account, '/sandbox/invoice', { number, event: 'invoice.voided' }, ({ status, body }) =>
        // A credit note, or one that is void already, is not found.
        requireThat(status === 200 || body.error === 'invoice_not_found', 'sandbox/invoice', body),
      );
    return { label: `${account.partnerId} voids ${number}`, run: () => this.#toTheEnd(scene, 'sandbox/invoice', ask) };
  }

  /** All documents. What one says never changes. */
  async #read(scene: Scene, account: Account): Promise<readonly Row[] | undefined> {
    const rows: (Row & { readonly id: number })[] = [];
    for (let hasMore = true; hasMore; ) {
      const before = rows.length > 0 ? `&before_id=${rows.at(-1)?.id}` : '';
      const sent = await scene.site.call('sandbox', account.key, `/invoice/list?limit=${PAGE}${before}`);
      const answer = definite(scene, sent, 'invoice/list');
      if (!answer) return undefined;
      requireThat(answer.status === 200, 'invoice/list', answer.body);
      rows.push(...answer.body.invoices);
      hasMore = answer.body.has_more;
    }
    for (const { number, status, net, tax, total, ...row } of rows) {
      requireThat(centsOf(net) + centsOf(tax) === centsOf(total), `${number} does not add up`, { net, tax, total });
      const { id, kind, month, credits } = row;
      const said = JSON.stringify([id, kind, month, credits, net, tax, total]);
      const before = account.documents.get(number) ?? said;
      requireThat(said === before, `${number} changed`, { before, said });
      requireThat(status === 'paid' || (kind === 'invoice' && status === 'void'), `${number} is ${status}`);
      account.documents.set(number, said);
    }
    const there = new Set(rows.map(({ number }) => number));
    requireThat(there.size === rows.length, 'a number was given twice', rows);
    for (const number of account.documents.keys()) requireThat(there.has(number), `${number} is gone`);
    return rows;
  }

  #requireTotals({ partnerId, bought, isCalm }: Account, rows: readonly Row[]): void {
    const what = `the documents of partner ${partnerId}`;
    const all = [...bought.values()];
    const invoices = rows.filter(({ kind }) => kind === 'invoice');
    const totalOf = (of: readonly Row[]) => sumOf(of.map(({ total }) => centsOf(total)));
    const voided = totalOf(invoices.filter(({ status }) => status === 'void'));
    const notes = totalOf(rows.filter(({ kind }) => kind === 'credit_note'));
    const charged = sumOf(all.map(({ cents, givenBack }) => cents - (givenBack?.cents ?? 0)));
    requireThat(totalOf(invoices) - notes === charged - voided, `${what} are not what was charged`, {
      ...{ charged, voided, notes, invoices: totalOf(invoices), rows },
    });
    if (!isCalm) return;
    for (const month of new Set(all.map((order) => order.month))) {
      const ofMonth = all.filter((order) => order.month === month);
      const inTime = ofMonth.map(({ givenBack }) => (givenBack?.month === month ? givenBack.cents : 0));
      const later = ofMonth.map(({ givenBack }) => (givenBack && givenBack.month !== month ? givenBack.cents : 0));
      const found = invoices.filter((row) => row.month === month);
      requireThat(found.length === 1, `${what}: ${month} has ${found.length} invoices`, rows);
      const [invoice] = found as [Row];
      const must = sumOf(ofMonth.map(({ cents }) => cents)) - sumOf(inTime);
      requireThat(centsOf(invoice.total) === must, `${what}: ${month}`, { invoice, must, ofMonth });
      const credited = totalOf(rows.filter(({ credits }) => credits === invoice.number));
      const isVoid = invoice.status === 'void';
      requireThat(credited === sumOf(later) + (isVoid ? must : 0), `${what}: the credit notes of ${month}`, {
        ...{ invoice, credited, later: sumOf(later), rows },
      });
    }
  }

  async #ask(
    scene: Scene,
    account: Account,
    path: string,
    form: Readonly<Record<string, string>>,
    use: (answer: Answer) => void,
  ): Promise<Answer | undefined> {
    const answer = definite(scene, await scene.site.call('sandbox', account.key, path, form), path);
    if (answer) use(answer);
    return answer;
  }

  /** Asks once, or several times at once; what was lost is asked again once everything works. */
  async #toTheEnd(scene: Scene, what: string, ask: () => Promise<unknown>, copies = 1): Promise<void> {
    const answers = await Promise.all(Array.from({ length: copies }, ask));
    if (answers.some((one) => one === undefined)) scene.later(() => insist(what, ask).then(() => {}));
  }
}
