import { setTimeout as sleep } from 'node:timers/promises';
import type { Dice } from './dice.ts';
import type { Partner } from './model.ts';
import { insist, keyOf } from './scene.ts';
import type { Site } from './site.ts';

export const faults = ['kill', 'cut', 'stop', 'crash'] as const;
export type Fault = (typeof faults)[number];

/** The more operations, the longer a round takes. */
const mostWaitMs = (crowd: number) => 200 + 50 * (crowd - 1);

/** Breaks something at a random moment while operations run, and puts it right again as an operator would. */
export async function strike(site: Site, fault: Fault, dice: Dice, crowd: number): Promise<void> {
  await sleep(dice.below(mostWaitMs(crowd)));
  switch (fault) {
    case 'kill':
      await site.kill();
      return site.restart();
    case 'cut':
      return cut(site);
    case 'stop':
      return stop(site, 'SIGINT');
    case 'crash':
      return stop(site, 'SIGQUIT');
  }
}

/** Every connection to the database, including those of the operator and of the simulated supplier. */
async function cut(site: Site): Promise<void> {
  await site.snapshot((client) =>
    client.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`),
  );
}

/** PostgreSQL goes down, cleanly or not, and is started again, as a supervisor would. */
async function stop({ postgres }: Site, signal: NodeJS.Signals): Promise<void> {
  const { pid } = postgres;
  process.kill(pid, signal);
  for (let tries = 0; tries < 400 && postgres.pid === pid; tries++) await sleep(25);
}

/**
 * Waits until everything works again: both worlds answer, and so do commands. Console requests have been answered or cut off by now,
 * so their claims, which would block a repeated click for half a minute, are cut short.
 */
export async function recovered(site: Site, partners: readonly Partner[]): Promise<void> {
  const answers = (world: 'live' | 'sandbox') => async (partner: Partner) => {
    let last: unknown;
    const ask = async () => {
      const answer = await site.call(world, keyOf(partner, world).key, '/account/balance');
      last = answer?.body ?? 'no answer';
      return answer?.status === 200 ? answer : undefined;
    };
    await insist(`the wait for partner ${partner.id} in ${world}`, ask, () => ({ last, server: site.lastWords }));
  };
  await Promise.all([...partners.map(answers('live')), ...partners.map(answers('sandbox'))]);
  await site.snapshot((client) =>
    client.query('update shared.action_keys set claimed_until = now() where claimed_until > now()'),
  );
  await insist('the wait for the command line', async () => {
    const ended = await site.operator('partner', 'list');
    return ended.outcome === 'done' ? ended : undefined;
  });
}
