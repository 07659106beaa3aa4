// Receives webhooks and prints those that are genuine and recent.
//   npm pack ./sdk && cd examples/typescript && npm install
//   WEBHOOK_SECRET=whsec_… npx tsx receive.ts
import { createServer } from 'node:http';
import { nodeReceiver } from '@wayfare/sdk';

const { WEBHOOK_SECRET: secret = '', PORT: port = '9000' } = process.env;
const receive = nodeReceiver({ secret, onEvent: (event) => console.log(`${event.event} ${event.event_id}`) });
createServer(receive).listen(Number(port), () => console.log(`Listening on http://localhost:${port}/hook`));
