/** One delivery as listed by the log. */
export interface Logged {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly sale_id: string;
}

/** The most rows the log returns. */
export const FULL_PAGE = 200;

/**
 * Tells new deliveries from known ones while polling the newest page of the log. Rows can appear slightly out of order (two
 * purchases at once), and old ones can move back onto the page when newer ones are deleted.
 */
export class DeliveryWindow {
  #floor = 0;
  #ids = new Set<string>();
  #events = new Set<string>();

  /** Everything already in the log counts as known. */
  constructor(page: readonly Logged[]) {
    this.done(page);
  }

  /** Oldest first; an event sent to several subscriptions appears once. `missed`: the page held nothing known, so rows may be lost. */
  fresh(page: readonly Logged[]): { deliveries: Logged[]; missed: boolean } {
    const unknown = page.filter(({ id }) => !this.#ids.has(id) && Number(id) > this.#floor);
    const first = new Map(unknown.map((delivery) => [delivery.event_id, delivery]));
    const deliveries = [...first.values()].filter(({ event_id }) => !this.#events.has(event_id));
    return {
      deliveries: deliveries.sort((a, b) => Number(a.id) - Number(b.id)),
      missed: unknown.length === FULL_PAGE,
    };
  }

  /** Marks one delivery as forwarded, so that it is not sent again if the rest of its page fails. */
  forwarded({ id, event_id }: Logged): void {
    this.#ids.add(id);
    this.#events.add(event_id);
  }

  /** The whole page is done: only its rows need remembering. */
  done(page: readonly Logged[]): void {
    this.#ids = new Set(page.map(({ id }) => id));
    this.#events = new Set(page.map(({ event_id }) => event_id));
    if (page.length === FULL_PAGE) this.#floor = Math.max(this.#floor, Math.min(...page.map(({ id }) => Number(id))));
  }
}
