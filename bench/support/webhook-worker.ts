import { startApp } from '../../src/app.ts';
import { openBase } from '../../src/base.ts';
import { systemClock } from '../../src/clock.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
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
