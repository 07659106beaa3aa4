import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { Refused, TooManyAttempts } from '../refused.ts';

export const PASSWORD_LENGTH = { min: 10, max: 200 } as const;

/** Written into every hash, so that they can be raised: an older hash is still read, and replaced at the next sign-in. */
const NOW = { log2N: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/** Each takes 32 MB and one of the process's four threads for slow work, which name resolution and files need too. */
const AT_ONCE = 2;
const MAX_WAITING = 32;
const BUSY_RETRY_SECONDS = 5;

export function checkPassword(password: string): string {
  const { min, max } = PASSWORD_LENGTH;
  if (password.length < min) throw new Refused('password_too_short', `a password has at least ${min} characters`);
  if (password.length > max) throw new Refused('password_too_long', `a password has at most ${max} characters`);
  return password;
}

/** `scrypt$15$8$3$SALT$HASH` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const derived = await derive(password, salt, NOW);
  return written(NOW, salt, derived);
}

/** Nobody's: an e-mail address without a password takes as long to refuse as a wrong password. */
const NOBODYS = written(NOW, Buffer.alloc(SALT_BYTES), Buffer.alloc(HASH_BYTES));

/** `outdated`: it was right, and should be hashed anew with today's parameters. */
export async function verifyPassword(
  password: string,
  stored: string | null | undefined,
): Promise<{ right: boolean; outdated: boolean }> {
  const { cost, salt, hash } = read(stored ?? NOBODYS);
  const same = timingSafeEqual(await derive(password, salt, cost), hash);
  const right = same && typeof stored === 'string';
  return { right, outdated: right && !stored.startsWith(written(NOW)) };
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

let running = 0;
const waiting: (() => void)[] = [];

/** Two keyboards can write one letter in two ways; both are the same password. */
async function derive(password: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Buffer> {
  if (waiting.length >= MAX_WAITING) throw new TooManyAttempts(BUSY_RETRY_SECONDS);
  // The one that ends hands its place to the one that waits, so `running` does not change in between.
  if (running < AT_ONCE) running += 1;
  else await new Promise<void>((turn) => waiting.push(turn));
  try {
    const N = 2 ** log2N;
    return await scrypted(password.normalize('NFC'), salt, { N, r, p, maxmem: 256 * N * r });
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const scrypted = (password: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> =>
  new Promise((done, failed) => {
    scrypt(password, salt, HASH_BYTES, options, (error, derived) => (error ? failed(error) : done(derived)));
  });
