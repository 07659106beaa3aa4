// Receives webhooks and accepts those that carry a valid, recent signature.
//   WEBHOOK_SECRET=whsec_… node examples/webhook-receiver.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { WEBHOOK_SECRET: secret, PORT: port = '9000' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET to the secret of your subscription.');
const MAX_AGE_SECONDS = 300;
const MAX_BYTES = 1024 * 1024;

function isGenuine(headers, body) {
  const timestamp = headers['x-webhook-timestamp'] ?? '';
  const isRecent = Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS;
  // Hash the bytes as they arrived: parsing and serializing the JSON again can change them.
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  const expected = Buffer.from(`sha256=${signature}`);
  const given = Buffer.from(headers['x-signature'] ?? '');
  return isRecent && given.length === expected.length && timingSafeEqual(given, expected);
}

const server = createServer((request, response) => {
  const chunks = [];
  let size = 0;
  request.on('data', (chunk) => {
    size += chunk.length;
    // Larger than any event, and not verified yet: stop reading.
    if (size > MAX_BYTES) request.destroy();
    else chunks.push(chunk);
  });
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    const isAccepted = isGenuine(request.headers, body);
    // Answer first and work later: a reply that takes more than ten seconds counts as failed and is retried.
    response.writeHead(isAccepted ? 204 : 401).end();
    console.log(isAccepted ? body.toString() : 'Rejected: signature missing, wrong or too old');
  });
});
server.listen(Number(port), () => console.log(`Listening on http://localhost:${port}/hook`));
