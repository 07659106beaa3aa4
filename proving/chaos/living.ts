import type { Order, Partner, WorldName } from './model.ts';

/** The orders that no reset has deleted, stored so that drawing some of them does not read all of them. */
export class Living {
  /** Unordered: a removed one is replaced by the last. */
  readonly all: Order[] = [];
  readonly #places = new Map<Order, number>();
  readonly #byOwner = new Map<string, Set<Order>>();
  readonly #open = new Set<Order>();
  /** The highest number of each world so far. */
  readonly latest: Record<WorldName, number> = { live: 0, sandbox: 0 };

  add(order: Order): void {
    const { world, partner, id } = order;
    this.#places.set(order, this.all.push(order) - 1);
    const owner = `${world} ${partner.id}`;
    this.#byOwner.set(owner, (this.#byOwner.get(owner) ?? new Set()).add(order));
    if (order.state === 'open') this.#open.add(order);
    this.latest[world] = Math.max(this.latest[world], id);
  }

  remove(order: Order): void {
    this.#byOwner.get(`${order.world} ${order.partner.id}`)?.delete(order);
    this.#open.delete(order);
    const place = this.#places.get(order) as number;
    this.#places.delete(order);
    const last = this.all.pop() as Order;
    if (last === order) return;
    this.all[place] = last;
    this.#places.set(last, place);
  }

  of(partner: Partner, world: WorldName): Order[] {
    return [...(this.#byOwner.get(`${world} ${partner.id}`) ?? [])];
  }

  /** Unfinished orders, newest last. */
  get open(): Order[] {
    for (const order of this.#open) if (order.state !== 'open') this.#open.delete(order);
    return [...this.#open];
  }
}
