import { startApp } from '../../src/app.ts';
import { openBase } from '../../src/base.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { bufferedWriter, createLog } from '../../src/log.ts';
import { servePinned } from './pinned.ts';

/** The whole API on a database that is already filled. */
servePinned(async ({ env }: { env: NodeJS.ProcessEnv }) => {
  const config = readConfig(env);
  const log = createLog(config.logLevel, bufferedWriter((text) => process.stdout.write(text)).write);
  const base = await openBase({ config, clock: systemClock, log, as: 'server' });
  const app = await startApp(base, 'api');
  return {
    told: { port: app.ports[0] },
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await base[Symbol.asyncDispose]();
    },
  };
});
