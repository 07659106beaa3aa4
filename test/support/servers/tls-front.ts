import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { certificate } from './certificate.ts';

/** HTTPS in front of a program that speaks HTTP, under one of its names: for clients that speak nothing else. */
export async function tlsFront(port: number, host: string) {
  const server = createServer(certificate, (incoming, response) => {
    const headers = { ...incoming.headers, host };
    const passed = request(
      { port, host: '127.0.0.1', method: incoming.method, path: incoming.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    incoming.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
