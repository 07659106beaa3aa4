import { startApp } from '../../../src/app.ts';
import { createPartner } from '../../../src/domains/partners/accounts/accounts.ts';
import { createKey, setKey } from '../../../src/domains/partners/keys/keys.ts';
import { endpoint } from '../../../src/entry/api/endpoint.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { Type } from '../../../src/platform/contract/schema.ts';
import { bufferedWriter, createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';
import { servePinned } from './pinned.ts';

/** An endpoint that does nothing, so that only the gates are measured. */
const ping = endpoint({
  path: '/account/ping',
  verb: 'GET',
  tier: 'read',
  summary: 'Answers',
  fields: {},
  errors: [],
  simulated: [],
  reply: Type.Object({ pong: Type.Boolean() }),
  handle: () => ({ body: { pong: true } }),
});

servePinned(async ({ env }: { env: NodeJS.ProcessEnv }) => {
  const config = readConfig(env);
  const log = createLog(config.logLevel, bufferedWriter((text) => process.stdout.write(text)).write);
  const base = await openBase({ config, clock: systemClock, log, as: 'server' });
  const key = await base.db.tx(async (tx) => {
    const partnerId = await createPartner(tx, { name: 'Bench', email: 'bench@example.com' }, new Date());
    const made = await createKey(tx, { partnerId, mode: 'sandbox' });
    await setKey(tx, made.keyId, { ceilings: { read: 1_000_000_000 } });
    return made.key;
  });
  const app = await startApp(base, 'api', [ping]);
  return {
    told: { port: app.ports[0], key },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
    },
  };
});
