import { readFileSync } from 'node:fs';
import { type Dice, dice } from '../chaos/dice.ts';
import { Site } from '../chaos/site.ts';
import { drawApi } from './api-shots.ts';
import { type Cast, makeCast } from './cast.ts';
import { drawDoor } from './door-shots.ts';
import { type Body, type Finding, judge, parsed } from './judge.ts';
import { Known } from './known.ts';
import { drawPage } from './pages.ts';
import { SecretSearch } from './secret-search.ts';
import { bytesOf, type Shot, shown, type Target } from './shot.ts';
import { smaller } from './shrink.ts';
import { Addresses } from './site-shots.ts';
import type { Drawing } from './values.ts';
import { type Got, Wire } from './wire.ts';

/**
 * Generated requests against a real server process. A run is made of parts of `PART` requests: each has its own dice, people and
 * keys, so a part can be repeated without those before it (`--from`). Requests are drawn in volleys, sent at the same time and
 * judged in the order they were drawn: what the next volley knows depends on the answers, not on which came first.
 */
export const PART = 10_000;
const AT_ONCE = 24;
/** Requests in one write on one connection, at most. */
const PIPELINED = 8;
/** Nothing here outlives the run, so nothing needs to reach the disk. */
const NOT_KEPT = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
const MOST_FINDINGS = 40;

export interface Found extends Finding {
  readonly number: number;
  readonly request: string;
  times: number;
}

export interface Figures {
  requests: number;
  ms: number;
  readonly statuses: Record<string, number>;
  readonly operations: Record<string, number>;
  /** Of the server, in MB, after each part. */
  readonly memory: number[];
  readonly findings: Found[];
  orders: number;
}

export const noFigures = (): Figures => ({
  requests: 0,
  ms: 0,
  statuses: {},
  operations: {},
  memory: [],
  findings: [],
  orders: 0,
});

export interface Run {
  readonly seed: number;
  /** The first request, and how many. */
  readonly from: number;
  readonly requests: number;
  readonly figures?: Figures;
  readonly isOver?: () => boolean;
  readonly say?: (line: string) => void;
  readonly onPart?: (figures: Figures, next: number) => void;
}

/** Requests that go out in one write; more than one are pipelined. */
type Write = readonly Shot[];

export async function fuzz({ seed, from, requests, figures = noFigures(), ...run }: Run): Promise<Figures> {
  const search = new SecretSearch();
  await using site = await Site.open(1, {
    onOutput: (text) => search.read(text),
    settings: NOT_KEPT,
    more: { AIRALO_DOOR: 'on', LOG_LEVEL: 'info', MAX_CONNECTIONS_PER_ADDRESS: '4000' },
  });
  const fuzzer = new Fuzzer(site, figures, search, run.say ?? (() => {}));
  const began = Date.now();
  const before = figures.ms;
  for (let first = from; first < from + requests && !run.isOver?.(); first += PART) {
    await fuzzer.part(seed, first, Math.min(PART, from + requests - first), run.isOver);
    figures.ms = before + Date.now() - began;
    figures.memory.push(residentMb(site.server.pid));
    run.onPart?.(figures, first + PART);
  }
  await fuzzer.prove();
  if (search.leaks.length > 0) throw new Error(`a secret was logged: ${search.leaks[0]}`);
  return figures;
}

const residentMb = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);

class Fuzzer {
  readonly #site: Site;
  readonly #figures: Figures;
  readonly #said: SecretSearch;
  readonly #say: (line: string) => void;
  readonly #addresses: Addresses;
  readonly #ports: Readonly<Record<Target, number>>;
  /** Each concurrent sender has a connection to each address. */
  readonly #wires: readonly Readonly<Record<Target, Wire>>[];

  constructor(site: Site, figures: Figures, said: SecretSearch, say: (line: string) => void) {
    this.#site = site;
    this.#figures = figures;
    this.#said = said;
    this.#say = say;
    this.#addresses = new Addresses(site.base);
    const { sandbox, live, legacy, panel } = site.server.urls;
    const port = (url: string) => Number(new URL(url).port);
    this.#ports = { sandbox: port(sandbox), live: port(live), legacy: port(legacy), panel: port(panel) };
    const wire = (target: Target) => new Wire(this.#ports[target]);
    this.#wires = Array.from({ length: AT_ONCE }, () => ({
      sandbox: wire('sandbox'),
      live: wire('live'),
      legacy: wire('legacy'),
      panel: wire('panel'),
    }));
  }

  async part(seed: number, first: number, count: number, isOver = () => false): Promise<void> {
    const chance = dice(Math.imul(seed, 1_000_003) + first);
    const cast = await makeCast(this.#site, first + (Date.now() % 1_000_000) * PART);
    const known = new Known();
    for (const id of cast.partners) known.add('partner', String(id));
    let number = first;
    while (number < first + count && !isOver()) {
      const volley: Write[] = [];
      while (volley.length < AT_ONCE && number < first + count) {
        const drawn = this.#draw(chance, known, cast, number);
        volley.push(...drawn);
        number += drawn.reduce((sum, { length }) => sum + length, 0);
      }
      await this.#send(volley, known, number);
    }
  }

  #draw(chance: Dice, known: Known, cast: Cast, number: number): Write[] {
    const receivers = this.#site.receivers.map(({ url }) => url);
    const drawing = (i = 0): Drawing => ({ dice: chance, known, receivers, number: number + i });
    const kind = chance.below(100);
    if (kind < 14) return [[this.#addresses.draw(drawing(), cast)]];
    if (kind < 17) return [[drawPage(drawing())]];
    if (kind < 22) return [[drawDoor(drawing(), cast)]];
    const shot = drawApi(drawing(), cast);
    // The same purchase several times at once.
    if (shot.repeats !== undefined && !shot.isCut && chance.chance(20))
      return Array.from({ length: 2 + chance.below(3) }, () => [shot]);
    // A head that is too long ends the connection, and with it what was sent behind it.
    const isShort = (one: Shot) => one.path.length + one.query.join('&').length < 8_000;
    const isPlain = (one: Shot) => !one.isCut && !one.isBent && isShort(one) && one.target === shot.target;
    if (chance.chance(3) && isPlain(shot)) {
      const more = Array.from({ length: chance.below(PIPELINED) }, (_, i) => drawApi(drawing(i + 1), cast));
      return [[shot, ...more.filter(isPlain)]];
    }
    return [[shot]];
  }

  async #send(volley: readonly Write[], known: Known, number: number): Promise<void> {
    const answers = await Promise.all(volley.map((write, i) => this.#one(write, i)));
    const repeated = new Map<Shot, string>();
    // If the sandbox is reset in between, the next repetition is a new purchase.
    const isReset = volley.flat().some(({ path }) => /reset/i.test(path));
    for (const [i, write] of volley.entries())
      for (const [j, shot] of write.entries()) {
        const got = answers[i]?.[j];
        const body = got && parsed(got);
        this.#count(shot, got);
        const finding = judge(shot, got, body) ?? (isReset ? undefined : differing(repeated, shot, body));
        if (finding) await this.#found(finding, shot, number);
        else if (body && got) learn(known, got, body);
      }
  }

  async #one(write: Write, i: number): Promise<(Got | undefined)[]> {
    const [first] = write as [Shot];
    const wire = this.#wires[i % AT_ONCE]?.[first.target] as Wire;
    const authority = `localhost:${this.#ports[first.target]}`;
    const bytes = Buffer.concat(write.map((shot) => bytesOf(shot, authority)));
    const heads = write.map(({ method }) => method === 'HEAD');
    const isLast = first.isCut !== undefined || first.isBent !== undefined;
    if (isLast || i >= AT_ONCE) {
      using own = new Wire(this.#ports[first.target]);
      return await own.send(bytes, heads, first.isCut !== undefined);
    }
    const answers = await wire.send(bytes, heads);
    // An idle connection may be closed at the moment it is used; a client tries again.
    return answers[0] === undefined ? await wire.send(bytes, heads) : answers;
  }

  #count(shot: Shot, got: Got | undefined): void {
    const { statuses, operations } = this.#figures;
    this.#figures.requests++;
    const status = got ? String(got.status) : 'none';
    statuses[status] = (statuses[status] ?? 0) + 1;
    const name =
      shot.operation?.path ??
      (shot.door ? 'door' : shot.json ? (shot.path.startsWith('/operator') ? 'console' : 'panel') : 'pages');
    operations[name] = (operations[name] ?? 0) + 1;
  }

  async #found(finding: Finding, shot: Shot, number: number): Promise<void> {
    const { findings } = this.#figures;
    const same = findings.find(({ kind, about }) => kind === finding.kind && about === finding.about);
    if (same) {
      same.times++;
      return;
    }
    if (findings.length >= MOST_FINDINGS) throw new Error('too many different findings');
    const repeat = async (one: Shot): Promise<boolean> => {
      const [got] = await this.#one([one], AT_ONCE);
      const again = judge(one, got, got && parsed(got));
      return again?.kind === finding.kind && again.about === finding.about;
    };
    const least = await smaller(shot, repeat);
    const request = shown(least, `localhost:${this.#ports[shot.target]}`);
    findings.push({ ...finding, number, request, times: 1 });
    this.#say(
      `\nFOUND before request ${number}: ${finding.kind}, ${finding.about}\n${request}\n→ ${JSON.stringify(finding.detail)}\nlogged last: ${this.#said.lastError}\n`,
    );
  }

  /** The ledger adds up, and no supplier was asked twice for one order. */
  async prove(): Promise<void> {
    const ended = await this.#site.operator('audit');
    if (ended.outcome !== 'done' || ended.result.ok !== true) throw new Error(`the audit: ${JSON.stringify(ended)}`);
    const [row] = await this.#site.snapshot(
      async (client) =>
        (
          await client.query(`
      select (select count(*) from simulated.orders where calls > 1)::int as twice,
        (select count(*) from live.orders)::int + (select count(*) from sandbox.orders)::int as orders`)
        ).rows,
    );
    if (row.twice > 0) throw new Error(`${row.twice} orders were placed twice at the supplier`);
    this.#figures.orders += row.orders;
    for (const wires of this.#wires) for (const wire of Object.values(wires)) wire[Symbol.dispose]();
  }
}

function learn(known: Known, got: Got, body: Body): void {
  if (got.status >= 300) return;
  known.read(body);
  if (got.headers.etag) known.add('etag', got.headers.etag);
  if (got.headers['x-request-id']) known.add('request', got.headers['x-request-id']);
}

/** A purchase sent several times at once is one purchase: every answer that names an order names the same one. */
function differing(repeated: Map<Shot, string>, shot: Shot, body: Body): Finding | undefined {
  const id = body?.result === 'ok' ? (body.order_id ?? body.batch_id) : undefined;
  if (shot.repeats === undefined || id === undefined) return undefined;
  const before = repeated.get(shot) ?? String(id);
  repeated.set(shot, before);
  if (before === String(id)) return undefined;
  return { kind: 'not the same', about: `${shot.operation?.path}: two orders for one key`, detail: { before, id } };
}
