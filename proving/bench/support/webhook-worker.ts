import { startApp } from '../../../src/app.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createLog } from '../../../src/platform/log.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openBase } from '../../../src/worlds/base.ts';
import { answerParent } from './child.ts';

/** The program as it runs in production, worker role. */
const log = createLog('warn', (line) => process.stderr.write(line));
const base = await openBase({ config: readConfig(), clock: systemClock, log, as: 'server' });
const app = await startApp(base, 'worker');

answerParent(
  async () => ({}),
  async () => {
    await app[Symbol.asyncDispose]();
    await base[Symbol.asyncDispose]();
  },
);
