import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';

/** The yardstick: `node:http` and nothing else, sending one finished answer to whatever is asked. */
export interface BareAnswer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
  readonly encoding: 'utf8' | 'base64';
}

const input = createInterface(process.stdin);
input.once('line', (line) => {
  const { status, headers, body, encoding } = JSON.parse(line) as BareAnswer;
  const bytes = encoding === 'utf8' ? body : Buffer.from(body, encoding);
  const server = createServer((_request, response) => {
    response.writeHead(status, headers as string[]);
    response.end(bytes);
  });
  server.listen(0, () => console.log(JSON.stringify((server.address() as AddressInfo).port)));
});
input.once('close', () => process.exit());
