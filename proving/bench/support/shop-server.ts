import { startApp } from '../../../src/app.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { bufferedWriter, createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';
import { servePinned } from './pinned.ts';

/** The whole program as it runs in production, its log into nothing. */
servePinned(async ({ env }: { env: NodeJS.ProcessEnv }) => {
  const config = readConfig(env);
  const log = createLog(config.logLevel, bufferedWriter((text) => process.stdout.write(text)).write);
  const base = await openBase({ config, clock: systemClock, log, as: 'server' });
  const app = await startApp(base);
  return {
    told: { port: app.ports[0] },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
    },
  };
});
