import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { plainRefusal } from './answer.ts';
import { livemodeOf } from './envelope.ts';
import type { Host, Hosts } from './hosts.ts';

interface InFlight {
  readonly host: Host | undefined;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Not HTTP, headers too large, a client too slow: the same envelope, written by hand because there may be no request to answer. */
export class BrokenHttp {
  private readonly latest = new WeakMap<Socket, InFlight>();
  private readonly hosts: Hosts;
  private readonly now: () => number;

  constructor(hosts: Hosts, now: () => number) {
    this.hosts = hosts;
    this.now = now;
  }

  /** A request whose body breaks off later is still answered as its host would. */
  remember(host: Host | undefined, request: IncomingMessage, response: ServerResponse): void {
    this.latest.set(request.socket, { host, request, response });
  }

  answer(socket: Socket, error?: Error & { rawPacket?: Buffer }): void {
    const latest = this.latest.get(socket);
    const inFlight = latest && !latest.response.writableEnded ? latest : undefined;
    if (inFlight?.request.complete) {
      // What broke is the next request on the connection; the one being handled keeps its answer.
      if (!inFlight.response.headersSent) inFlight.response.setHeader('connection', 'close');
      return;
    }
    if (!socket.writable || inFlight?.response.headersSent) return void socket.destroy();
    const host = inFlight ? inFlight.host : this.hostOf(socket, error?.rawPacket);
    const { status, headers, body } = plainRefusal('malformed_request', livemodeOf(host), this.now());
    const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  }

  /** As far as the bytes can be read; the port they came in on knows the rest. */
  private hostOf(socket: Socket, packet: Buffer | undefined): Host | undefined {
    const head = packet?.toString('latin1') ?? '';
    const path = /^[A-Z]+ ([^ ?\r\n]*)/.exec(head)?.[1] ?? '';
    const authority = /^host:[ \t]*(\S+)/im.exec(head)?.[1];
    return this.hosts.find(authority, socket.localPort, path);
  }
}
