import { once } from 'node:events';
import { connect } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Answer } from '../program/app.ts';

/** Writes bytes as they are and reads until the server ends the connection: for what no HTTP client would send. */
export async function sendRaw(port: number, ...pieces: (string | Buffer)[]): Promise<Answer> {
  const [answer] = await sendAllRaw(port, ...pieces);
  if (!answer) throw new Error('the connection ended without an answer');
  return answer;
}

/** Every answer on the connection. */
export async function sendAllRaw(port: number, ...pieces: (string | Buffer)[]): Promise<Answer[]> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // A server that has answered may stop reading; what it said still counts.
  socket.on('error', () => {});
  for (const piece of pieces) socket.write(piece);
  return answersIn(await buffer(socket));
}

function answersIn(received: Buffer): Answer[] {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return [];
  const [statusLine = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const next = end + 4 + Number(headers['content-length'] ?? 0);
  const text = received.subarray(end + 4, next).toString();
  const body = headers['content-type']?.startsWith('application/json') && text !== '' ? JSON.parse(text) : undefined;
  return [{ status: Number(statusLine.split(' ')[1]), headers, text, body }, ...answersIn(received.subarray(next))];
}
