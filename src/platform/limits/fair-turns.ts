/*
 * Turns that strangers cannot take from each other.
 *
 * Work that anyone can cause runs a few at a time, and the rest waits. In one line, first come first served, the busiest sender has
 * most of the turns, and when the line is full everybody else is refused. So there is a line for each network, and the lines take
 * turns: first the widest networks, then the narrower ones inside each, so that one customer with thousands of addresses has one
 * turn among the others, and delays their own neighbours no more than another neighbour would.
 *
 * The places to wait are shared the same way. When all are taken, a newcomer gets the place of the last one in the longest line, if
 * that is longer than the newcomer's. So a network can fill all places only until another needs one.
 *
 * Known people have places of their own and go first. They are few, and what they may try is limited before they get here.
 */

/** Who waits: the names of their networks, narrowest first. */
export interface Waiting {
  readonly networks: readonly string[];
  /** They have places of their own. */
  readonly isKnown?: boolean;
}

/** Runs `work` as soon as it is its turn. */
type FairTurns = <T>(who: Waiting, work: () => Promise<T>) => Promise<T>;

interface FairBounds {
  readonly atOnce: number;
  /** How many strangers may wait for their turn. */
  readonly maxWaiting: number;
  /** How many known people may wait, besides. */
  readonly maxKnown?: number;
  /** How many of one widest network run at the same time. What runs shares connections, where it waits in one line. */
  readonly mostOfOne?: number;
}

interface Place {
  readonly widest: string;
  readonly begin: () => void;
  readonly refuse: () => void;
}

export function fairTurns(bounds: FairBounds, full: () => Error): FairTurns {
  const { atOnce, maxWaiting, maxKnown = 0, mostOfOne = atOnce } = bounds;
  const lines = { known: new Line(), strangers: new Line() };
  const most = { known: maxKnown, strangers: maxWaiting };
  /** By the widest network. */
  const running = new Map<string, number>();
  let all = 0;

  const mayRun = (widest: string): boolean => all < atOnce && (running.get(widest) ?? 0) < mostOfOne;

  function count(widest: string, more: 1 | -1): void {
    all += more;
    const left = (running.get(widest) ?? 0) + more;
    if (left > 0) running.set(widest, left);
    else running.delete(widest);
  }

  const join = ({ networks, isKnown }: Waiting): Promise<void> =>
    new Promise((begin, failed) => {
      const whose = isKnown && maxKnown > 0 ? 'known' : 'strangers';
      const path = networks.toReversed();
      if (lines[whose].size >= most[whose] && !lines[whose].makeRoom(path)) throw full();
      lines[whose].add(path, { widest: path[0] ?? '', begin, refuse: () => failed(full()) });
    });

  return async (who, work) => {
    const widest = who.networks.at(-1) ?? '';
    if (mayRun(widest)) count(widest, 1);
    // Counted by the one that ends and makes room for it, so that no other request takes the place in between.
    else await join(who);
    try {
      return await work();
    } finally {
      count(widest, -1);
      const next = lines.known.shift(mayRun) ?? lines.strangers.shift(mayRun);
      if (next) {
        count(next.widest, 1);
        next.begin();
      }
    }
  };
}

/** A network's line: those of the networks inside it, which take turns, or the places of the narrowest. */
class Line {
  size = 0;
  /** In the order of their turns. */
  readonly #inside = new Map<string, Line>();
  /** Their names by how many wait in each, so that the longest is found at once however many there are. */
  readonly #bySize: Set<string>[] = [];
  readonly #places: Place[] = [];

  add([name, ...narrower]: readonly string[], place: Place): void {
    this.size += 1;
    if (name === undefined) {
      this.#places.push(place);
      return;
    }
    const line = this.#inside.get(name) ?? new Line();
    this.#inside.set(name, line);
    this.#resize(name, line, () => line.add(narrower, place));
  }

  /** The next of a line that may go on, which then goes to the back. Few may not: those of networks with all their turns. */
  shift(mayRun: (name: string) => boolean = () => true): Place | undefined {
    const [name, line] = this.#inside.entries().find(([one]) => mayRun(one)) ?? [];
    if (this.size === 0 || (line === undefined && this.#inside.size > 0)) return undefined;
    this.size -= 1;
    if (name === undefined || line === undefined) return this.#places.shift();
    this.#inside.delete(name);
    const next = this.#resize(name, line, () => line.shift());
    if (line.size > 0) this.#inside.set(name, line);
    return next;
  }

  /** Refuses the last one of the longest line for a newcomer; false if the newcomer's line is as long. */
  makeRoom([name, ...narrower]: readonly string[]): boolean {
    const longest = this.#longest();
    if (name === undefined || longest === undefined) return false;
    const own = this.#inside.get(name);
    const isOwn = own !== undefined && own.size + 1 >= longest.line.size;
    if (!isOwn && longest.line.size <= 1) return false;
    if (isOwn && !this.#resize(name, own, () => own.makeRoom(narrower))) return false;
    if (!isOwn) this.#resize(longest.name, longest.line, () => longest.line.#dropLast());
    this.size -= 1;
    return true;
  }

  #dropLast(): void {
    this.size -= 1;
    const longest = this.#longest();
    if (longest) this.#resize(longest.name, longest.line, () => longest.line.#dropLast());
    else this.#places.pop()?.refuse();
  }

  #longest(): { readonly name: string; readonly line: Line } | undefined {
    while (this.#bySize.at(-1)?.size === 0) this.#bySize.pop();
    const [name = ''] = this.#bySize.at(-1) ?? [];
    const line = this.#inside.get(name);
    return line && { name, line };
  }

  #resize<T>(name: string, line: Line, work: () => T): T {
    this.#bySize[line.size]?.delete(name);
    const result = work();
    for (let size = this.#bySize.length; size <= line.size; size += 1) this.#bySize.push(new Set());
    if (line.size > 0) this.#bySize[line.size]?.add(name);
    else this.#inside.delete(name);
    return result;
  }
}
