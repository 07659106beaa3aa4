import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Refused, TooManyAttempts } from '../../../platform/contract/refused.ts';
import { fairTurns, type Waiting } from '../../../platform/limits/fair-turns.ts';

const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Written into every hash, so that they can be raised: an older hash can still be verified, and is replaced at the next sign-in. */
const CURRENT = { log2N: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each derivation takes 32 MB and one of the process's four worker threads, which DNS lookups and files need, too. */
const AT_ONCE = 2;
/** Places for strangers, and as many for people where they are known: a flood of strangers does not keep those from signing in. */
const MAX_WAITING = 32;
const BUSY_RETRY_SECONDS = 5;

export function requirePasswordLength(password: string): void {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min) throw new Refused('password_too_short', `a password has at least ${min} characters`);
  if (password.length > max) throw new Refused('password_too_long', `a password has at most ${max} characters`);
}

/**
 * `scrypt$15$8$3$SALT$HASH`. People with the same address share a salt: pass the hashes there are. One derivation then tests a
 * password against all of them, so neither the work nor the time of a sign-in depends on how many there are.
 */
export async function hashPassword(
  password: string,
  who: Waiting,
  sameAddress: readonly string[] = [],
): Promise<string> {
  const like = sameAddress.find((stored) => !isOutdated(stored));
  const salt = like === undefined ? randomBytes(SALT_BYTES) : read(like).salt;
  return written(CURRENT, salt, await derive(password, who, salt, CURRENT));
}

/** Whether a hash should be replaced by one with today's parameters. */
export const isOutdated = (stored: string): boolean => !stored.startsWith(`${written(CURRENT)}$`);

/** No password has this hash. Verifying against it makes an unknown address take as long to refuse as a wrong password. */
const MATCHES_NOTHING = written(CURRENT, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** Those of the stored hashes that the password matches. */
export async function verifyPassword(password: string, who: Waiting, stored: readonly string[]): Promise<string[]> {
  const bySalt = Map.groupBy(stored.length > 0 ? stored : [MATCHES_NOTHING], (one) =>
    one.slice(0, one.lastIndexOf('$')),
  );
  const right: string[] = [];
  for (const alike of bySalt.values()) {
    const { cost, salt } = read(alike[0] as string);
    const derived = await derive(password, who, salt, cost);
    right.push(...alike.filter((one) => timingSafeEqual(derived, read(one).hash)));
  }
  return right.filter((one) => one !== MATCHES_NOTHING);
}

interface Cost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

function written({ log2N, r, p }: Cost, ...parts: readonly Buffer[]): string {
  return ['scrypt', log2N, r, p, ...parts.map((part) => part.toString('base64url'))].join('$');
}

function read(stored: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const [, log2N, r, p, salt = '', hash = ''] = stored.split('$');
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

const turn = fairTurns(
  { atOnce: AT_ONCE, maxWaiting: MAX_WAITING, maxKnown: MAX_WAITING },
  () => new TooManyAttempts(BUSY_RETRY_SECONDS),
);

/** Normalised, because two keyboards can encode the same letter differently. */
function derive(password: string, who: Waiting, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  const N = 2 ** log2N;
  return turn(who, () => scrypted(password.normalize('NFC'), salt, { N, r, p, maxmem: 256 * N * r }));
}

const scrypted = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    scrypt(password, salt, HASH_BYTES, options, (error, derived) => (error ? failed(error) : done(derived)));
  });
