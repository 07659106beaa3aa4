/** One delivery as the log lists it. */
export interface Logged {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly sale_id: string;
}

/** Rows the log shows at most. */
export const FULL_PAGE = 200;

/**
 * Tells new deliveries from known ones, looking at the newest of the log again and again. Rows can appear a little out of
 * order (two purchases at once), and old ones can come into view again when newer ones are deleted.
 */
export class DeliveryWindow {
  #floor = 0;
  #ids = new Set<string>();
  #events = new Set<string>();

  /** What stands in the log already is not new. */
  constructor(page: readonly Logged[]) {
    this.done(page);
  }

  /** Oldest first; an event that goes to several subscriptions once. `missed`: nothing known was left on the page. */
  fresh(page: readonly Logged[]): { deliveries: Logged[]; missed: boolean } {
    const unknown = page.filter(({ id }) => !this.#ids.has(id) && Number(id) > this.#floor);
    const first = new Map(unknown.map((delivery) => [delivery.event_id, delivery]));
    const deliveries = [...first.values()].filter(({ event_id }) => !this.#events.has(event_id));
    return {
      deliveries: deliveries.sort((a, b) => Number(a.id) - Number(b.id)),
      missed: unknown.length === FULL_PAGE,
    };
  }

  /** Forwarded: should the rest of its page fail, it is not new again. */
  forwarded({ id, event_id }: Logged): void {
    this.#ids.add(id);
    this.#events.add(event_id);
  }

  /** The page was dealt with: only what it shows needs remembering. */
  done(page: readonly Logged[]): void {
    this.#ids = new Set(page.map(({ id }) => id));
    this.#events = new Set(page.map(({ event_id }) => event_id));
    if (page.length === FULL_PAGE) this.#floor = Math.max(this.#floor, Math.min(...page.map(({ id }) => Number(id))));
  }
}
