import type { Shot } from './shot.ts';

const MOST_TRIES = 60;

/** The same finding with less: headers and fields that it does not need are left out one by one. */
export async function smaller(shot: Shot, isSame: (shot: Shot) => Promise<boolean>): Promise<Shot> {
  let tries = 0;
  let least = shot;
  // Some findings depend on what came before, and are not there a second time.
  if (!(await isSame(shot))) return shot;
  const attempt = async (one: Shot) => {
    if (tries++ < MOST_TRIES && (await isSame(one))) least = one;
  };
  for (const part of shot.query) await attempt({ ...least, query: least.query.filter((one) => one !== part) });
  for (const part of shot.body ?? [])
    if (least.body) await attempt({ ...least, body: least.body.filter((one) => one !== part) });
  for (const header of shot.headers)
    await attempt({ ...least, headers: least.headers.filter((one) => one !== header) });
  return least;
}
