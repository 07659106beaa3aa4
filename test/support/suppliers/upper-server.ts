import { eventually } from '../eventually.ts';
import { ServerProcess } from '../program/server-process.ts';
import type { openUpper } from './upstream.ts';

/** Launches a process that serves the upper service's database, and waits until it answers: one that a test can kill. */
export function upperServer(
  upper: Pick<Awaited<ReturnType<typeof openUpper>>, 'base'>,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
) {
  const env = {
    DATABASE_URL: upper.base.url,
    WAYFARE_SECRET: upper.base.config.secret,
    WAYFARE_DEMO: 'off',
    LOG_LEVEL: 'silent',
    ...settings,
  };
  return async (urls: Partial<Record<string, string>> = {}): Promise<ServerProcess> => {
    const started = await ServerProcess.launch({ dataDir, env: { ...env, ...urls } });
    await eventually('it serves', async () =>
      fetch(`${urls.LIVE_BASE_URL ?? started.urls.live}/openapi.json`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    return started;
  };
}
