import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { STATUS_CODES } from '../../../platform/http/node-http.ts';
import { splitTarget } from '../../../platform/http/target.ts';
import type { Host, Hosts } from './hosts.ts';
import { plainRefusal } from './refusal.ts';

/**
 * Answers what is not HTTP, headers that are too large, and clients that are too slow, in the same envelope. The answer is
 * written by hand, because there may be no request to answer. `unanswered` is the request in progress on the connection.
 */
export function refuseBrokenHttp(
  hosts: Hosts,
  now: number,
  socket: Socket,
  unanswered: ServerResponse | undefined,
  error?: Error & { rawPacket?: Buffer },
): void {
  if (unanswered?.req.complete) {
    // What broke is the next request on the connection; the one being handled keeps its answer.
    if (!unanswered.headersSent) unanswered.setHeader('connection', 'close');
    return;
  }
  // Browsers connect before they need it. An answer to nothing would be taken for that to the request they send at this moment.
  if (!socket.writable || unanswered?.headersSent || socket.bytesRead === 0) return void socket.destroy();
  const host = unanswered ? hosts.of(unanswered.req) : hostIn(hosts, socket, error?.rawPacket);
  const { status, headers, body } = plainRefusal('malformed_request', host, now);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

/** As far as the bytes can be read; beyond that, the port they arrived on decides. */
function hostIn(hosts: Hosts, socket: Socket, packet: Buffer | undefined): Host | undefined {
  const head = packet?.toString('latin1') ?? '';
  const target = /^[A-Z]+ ([^ \r\n]*)/.exec(head)?.[1] ?? '';
  const authority = /^host:[ \t]*(\S+)/im.exec(head)?.[1];
  return hosts.find(authority, socket.localPort, splitTarget(target).path);
}
