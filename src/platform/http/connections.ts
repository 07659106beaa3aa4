import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { SECOND } from '../clock.ts';
import type { Log } from '../log.ts';
import { type AddressList, type Network, networksOf, normalAddress } from './address-list.ts';

export interface ConnectionLimits {
  /** Open connections in total. */
  readonly max: number;
  /** Open connections of one client address; for IPv6, of one /64 network. Wider networks have a multiple of it. */
  readonly maxPerAddress: number;
  /** Proxies, which carry the connections of many clients: the limit per address does not apply to them. */
  readonly trusted: AddressList | undefined;
  /** How long a client may leave an answer unread before its connection is closed; 5 s unless given. */
  readonly unreadMs?: number;
  /** How long a connection may stay open between two requests; 65 s unless given, which is more than proxies keep them. */
  readonly idleMs?: number;
}

/** Pipelined requests that may be waiting for their answers on one connection. Browsers and most libraries send one. */
const MAX_IN_FLIGHT = 32;
const UNREAD_MS = 5 * SECOND;
/**
 * How long a draining process leaves a connection open after an answer that said `Connection: close`. Clients close it themselves
 * when they read that. Some ignore it and send their next request, which would be lost on a connection that is closed already.
 */
const LINGER_MS = SECOND;
const IDLE_MS = 65 * SECOND;

interface Connection {
  readonly socket: Socket;
  /** The networks it counts for; none for trusted proxies. */
  readonly networks: readonly Network[];
  /**
   * Answers, the latest last, of which some may not have been handed to the operating system in full. Those that have been are
   * removed when a request finds the connection idle, or when there are too many: listening for the end of each would cost more
   * than all other counting here.
   */
  answers: ServerResponse[];
  requests: number;
  /** `requests` at the last sweep, and for how long the connection has been idle since that number was reached. */
  seen: number;
  idleMs: number;
}

const latestOf = ({ answers }: Connection): ServerResponse | undefined => answers[answers.length - 1];
/** Answers leave in the order of their requests, so once the latest has left, all have. */
const isIdle = (connection: Connection): boolean => latestOf(connection)?.writableFinished ?? true;

/**
 * The open connections of a server, and how much each may make us hold. What a client has not read stays in our memory, so
 * both the number of connections and the answers waiting on each are limited, and a client that stops reading is cut off.
 */
export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #unreadMs: number;
  readonly #idleMs: number;
  readonly #sweepMs: number;
  readonly #open = new Map<Socket, Connection>();
  readonly #perNetwork = new Map<string, number>();
  readonly #sweep: NodeJS.Timeout;
  readonly #log: Log;
  #draining = false;
  #lingering = false;
  /** Since the last sweep. */
  #refused = 0;

  constructor(limits: ConnectionLimits, log: Log) {
    this.#limits = limits;
    this.#log = log;
    this.#unreadMs = limits.unreadMs ?? UNREAD_MS;
    this.#idleMs = limits.idleMs ?? IDLE_MS;
    this.#sweepMs = Math.min(SECOND, this.#unreadMs / 4, this.#idleMs / 4);
    this.#sweep = setInterval(() => this.#look(), this.#sweepMs).unref();
  }

  /** Takes a new connection, or closes it at once when that would exceed a limit. */
  open(socket: Socket): void {
    const networks = this.#networks(socket);
    const { max, maxPerAddress } = this.#limits;
    if (this.#open.size >= max || networks.some(({ name, times }) => this.#openOf(name) >= maxPerAddress * times)) {
      this.#refused += 1;
      socket.destroy();
      return;
    }
    for (const { name } of networks) this.#perNetwork.set(name, this.#openOf(name) + 1);
    this.#open.set(socket, { socket, networks, answers: [], requests: 0, seen: 0, idleMs: 0 });
    socket.once('close', () => this.#closed(socket));
  }

  /**
   * Counts a request that arrived on its connection. False: it must not be handled, because too many are waiting before it.
   * The answer to the last one that was handled says `Connection: close`, so the client knows that this one was not.
   */
  begin(response: ServerResponse): boolean {
    const connection = this.#open.get(response.req.socket);
    if (!connection) return false;
    connection.requests += 1;
    if (isIdle(connection)) connection.answers.length = 0;
    else if (connection.answers.length >= MAX_IN_FLIGHT - 1)
      connection.answers = connection.answers.filter(({ writableFinished }) => !writableFinished);
    const before = connection.answers.length;
    if (before >= MAX_IN_FLIGHT) {
      connection.socket.pause();
      return false;
    }
    if (this.#draining) {
      // `Connection: close` belongs on the last answer: Node drops what was pipelined behind one that says so.
      const latest = latestOf(connection);
      if (latest && !latest.writableEnded) latest.shouldKeepAlive = true;
      this.#end(connection, response);
    } else if (before === MAX_IN_FLIGHT - 1) response.shouldKeepAlive = false;
    connection.answers.push(response);
    return true;
  }

  unanswered(socket: Socket): ServerResponse | undefined {
    const connection = this.#open.get(socket);
    const latest = connection && latestOf(connection);
    return latest && !latest.writableEnded ? latest : undefined;
  }

  /**
   * From now on, the answer after which a connection would be idle says `Connection: close`. `lingering`: further requests on it
   * are still answered for a moment. Not once the server accepts no new connections: then the end of the connection tells the
   * client.
   */
  drain({ lingering }: { lingering: boolean }): void {
    this.#draining = true;
    this.#lingering = lingering;
    for (const connection of this.#open.values()) {
      const latest = latestOf(connection);
      if (latest && !latest.headersSent) this.#end(connection, latest);
    }
  }

  /** Answers keep their connections again, so that clients stop opening new ones. */
  settle(): void {
    this.#draining = false;
  }

  get isDraining(): boolean {
    return this.#draining;
  }

  /** Closes connections on which nothing was ever sent. Node's `closeIdleConnections` takes them for busy. */
  closeUnused(): void {
    for (const { socket } of this.#open.values()) if (socket.bytesRead === 0) socket.destroy();
  }

  stop(): void {
    clearInterval(this.#sweep);
  }

  /**
   * Node calls `destroySoon` after an answer that says `Connection: close`. A request that comes before it takes effect is
   * answered.
   */
  #end(connection: Connection, answer: ServerResponse): void {
    const { socket } = connection;
    const closesAnyway = !answer.shouldKeepAlive;
    answer.shouldKeepAlive = false;
    socket.destroySoon = Socket.prototype.destroySoon;
    if (!this.#lingering || closesAnyway) return;
    socket.destroySoon = () => {
      const { requests } = connection;
      const close = () => connection.requests === requests && Socket.prototype.destroySoon.call(socket);
      setTimeout(close, LINGER_MS).unref();
    };
  }

  #closed(socket: Socket): void {
    const networks = this.#open.get(socket)?.networks ?? [];
    this.#open.delete(socket);
    for (const { name } of networks) {
      const left = this.#openOf(name) - 1;
      if (left > 0) this.#perNetwork.set(name, left);
      else this.#perNetwork.delete(name);
    }
  }

  #openOf(network: string): number {
    return this.#perNetwork.get(network) ?? 0;
  }

  #networks(socket: Socket): readonly Network[] {
    const address = normalAddress(socket.remoteAddress ?? '') ?? '';
    return this.#limits.trusted?.has(address) ? [] : networksOf(address);
  }

  #look(): void {
    for (const connection of this.#open.values()) {
      this.#watchReader(connection);
      this.#watchIdle(connection);
    }
    if (this.#refused === 0) return;
    const open = this.#open.size;
    this.#log.warn({ refused: this.#refused, open }, 'connections were refused: too many in all, or of one network');
    this.#refused = 0;
  }

  /**
   * Node's own timeout does the measuring: while data waits to be written it fires only if none of it was taken for that
   * long, so a slow reader is not cut off. It is armed only while something is unread; an endpoint may take longer.
   */
  #watchReader({ socket }: Connection): void {
    const armed = socket.timeout === this.#unreadMs;
    if (socket.writableLength > 0) {
      if (!armed) socket.setTimeout(this.#unreadMs);
    } else if (armed) socket.setTimeout(0);
  }

  /**
   * Node's keep-alive timeout would be set and cleared with every request, which costs a busy connection more than all other
   * counting here. Looking at each connection once a second is precise enough.
   */
  #watchIdle(connection: Connection): void {
    const { socket, requests, seen } = connection;
    if (requests !== seen || !isIdle(connection)) {
      connection.seen = requests;
      connection.idleMs = 0;
      return;
    }
    connection.idleMs += this.#sweepMs;
    if (connection.idleMs >= this.#idleMs) socket.destroy();
  }
}
