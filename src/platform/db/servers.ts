import { addressesIn } from '../settings/environment.ts';

/**
 * The servers a database URL names: `postgres://user:password@h1:5432,h2:5432/db` is one database on two servers, of which one
 * accepts writes at a time. `current` is the one to connect to. A caller that fails to connect there, or finds that it does not
 * accept writes, moves on to the next, and every other user of the same URL follows. There is no state to lose: a wrong guess costs
 * one failed connection.
 */
export class Servers {
  readonly #urls: readonly string[];
  #at = 0;

  constructor(url: string) {
    this.#urls = addressesIn(url);
  }

  get current(): string {
    return this.#urls[this.#at] as string;
  }

  get areSeveral(): boolean {
    return this.#urls.length > 1;
  }

  /** Only if `from` is still the current one: connections that fail together move on by one server, not by several. */
  moveOn(from: string): void {
    if (from === this.current) this.#at = (this.#at + 1) % this.#urls.length;
  }

  /** Tries `connect` once per server at most, as long as each failure has moved us on. */
  async tryEach<T>(connect: () => Promise<T>): Promise<T> {
    for (let left = this.#urls.length; ; left--) {
      const tried = this.current;
      try {
        return await connect();
      } catch (error) {
        if (left <= 1 || this.current === tried) throw error;
      }
    }
  }
}

const known = new Map<string, Servers>();

/** One for each URL, so that pools and the listener share what they find out. */
export function serversOf(url: string): Servers {
  const servers = known.get(url) ?? new Servers(url);
  known.set(url, servers);
  return servers;
}
