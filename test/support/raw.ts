import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Answer } from './app.ts';

/** Writes bytes as they are and reads until the server ends the connection: for what no HTTP client would send. */
export async function sendRaw(port: number, ...pieces: (string | Buffer)[]): Promise<Answer> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // A server that has answered may stop reading; what it said still counts.
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  return parseAnswer(await text(socket));
}

export function parseAnswer(received: string): Answer {
  const [head = '', ...rest] = received.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const body = rest.join('\r\n\r\n');
  const isJson = headers['content-type']?.startsWith('application/json') && body !== '';
  return { status: Number(statusLine.split(' ')[1]), headers, text: body, body: isJson ? JSON.parse(body) : undefined };
}
