import { eventually } from '../eventually.ts';
import type { TestApp } from '../program/app.ts';

/** The command that moves an account's clock runs beside the program, which is notified a moment later. Waits for that. */
export const clockSeen = (t: TestApp, key: string, state: 'ahead' | 'reset'): Promise<unknown> =>
  eventually('the clock is seen', async () => {
    const { headers } = await t.get('/account/balance', { key });
    return (headers['x-sandbox-clock'] === undefined) === (state === 'reset');
  });
