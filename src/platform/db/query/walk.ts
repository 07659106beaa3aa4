/*
 * Lists that are asked for by page number.
 *
 * PostgreSQL finds a page by counting off every row before it. That is quick up to some thousand rows; for the millionth it takes
 * seconds, on a connection that others need. So a page that lies far back is reached by a walk: a step finds the key of the row that
 * many rows further on, reading an index, and the next step starts there.
 *
 * What a walk may take away from others is bounded. A step takes milliseconds, and between two steps the connection is free. One step
 * runs at a time, so all walks together use one connection. One walk of a partner runs at a time, and the others wait; too many of them,
 * or those that have waited too long, are turned away. A walk that takes too long ends where it is, at the beginning of a page: that page
 * is answered instead.
 */

import { SECOND } from '../../clock.ts';
import { bounded, type Turns } from '../../limits/turns.ts';
import { DatabaseAway } from '../database-errors.ts';

/** `start` is a 1-based page number. */
export interface Page {
  readonly limit: number;
  readonly start: number;
}

/** Where the page begins: `offset` rows after the key. */
export interface Place<Key> {
  /** Undefined: from the beginning. */
  readonly after: Key | undefined;
  readonly offset: number;
  /** As asked for; 0: the list ends before the page. */
  readonly limit: number;
  /** Set: the page asked for lies too far back. This one was reached, and more follow. */
  readonly reached: number | undefined;
}

/** Finds the key of the row that is so many rows after a key, or from the beginning; undefined: the list ends before. */
export type Step<Key> = (after: Key | undefined, rows: number) => Promise<Key | undefined>;

export type Walks = ReturnType<typeof createWalks>;

/** Rows that one statement counts off. */
const COUNTED = 10_000;
const WALK_MS = 4 * SECOND;
/** How long a walk may have waited when its turn comes. Together with the walk it fits into the time of a request. */
const WAIT_MS = 8 * SECOND;
/** Walks of one partner that wait. */
const MAX_WAITING = 20;

const turnedAway = () => new DatabaseAway('too many pages far back are being looked for');

export function createWalks({ walkMs = WALK_MS } = {}) {
  const inTurn = bounded({ atOnce: 1, maxWaiting: Number.POSITIVE_INFINITY }, () => new Error('unreachable'));
  const partners = new Map<number, { readonly turn: Turns; users: number }>();

  async function turnOf<T>(partnerId: number, work: () => Promise<T>): Promise<T> {
    const partner = partners.get(partnerId) ?? {
      turn: bounded({ atOnce: 1, maxWaiting: MAX_WAITING }, turnedAway),
      users: 0,
    };
    partners.set(partnerId, partner);
    partner.users++;
    const until = performance.now() + WAIT_MS;
    try {
      return await partner.turn(async () => {
        if (performance.now() > until) throw turnedAway();
        return work();
      });
    } finally {
      if (--partner.users === 0) partners.delete(partnerId);
    }
  }

  async function walk<Key>({ limit, start }: Page, step: Step<Key>): Promise<Place<Key>> {
    const offset = (start - 1) * limit;
    // Whole pages, so that wherever the walk ends a page begins.
    const stride = Math.max(1, Math.floor(COUNTED / limit)) * limit;
    const until = performance.now() + walkMs;
    let after: Key | undefined;
    let walked = 0;
    while (walked < offset) {
      if (walked > 0 && performance.now() > until) return { after, offset: 0, limit, reached: walked / limit + 1 };
      const rows = Math.min(stride, offset - walked);
      after = await inTurn(() => step(after, rows));
      if (after === undefined) return { after, offset: 0, limit: 0, reached: undefined };
      walked += rows;
    }
    return { after, offset: 0, limit, reached: undefined };
  }

  return {
    async to<Key>(partnerId: number, page: Page, step: Step<Key>): Promise<Place<Key>> {
      const offset = (page.start - 1) * page.limit;
      if (offset <= COUNTED) return { after: undefined, offset, limit: page.limit, reached: undefined };
      return turnOf(partnerId, () => walk(page, step));
    },
  };
}
