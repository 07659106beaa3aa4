import crypto, { type BinaryLike, type ScryptOptions } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/*
 * Loaded into every process of `npm test` before anything else. Hashing a password takes a third of a second, on purpose, and the suite
 * would do it a thousand times. Here it takes a hundredth of that. The form of a hash stays as it is, and `people/password.test.ts`
 * has the real one.
 */
const { scrypt } = crypto;
const isReal = process.argv.at(-1)?.endsWith('/password.test.ts');

/** How many passwords this process has hashed. */
export const hashed = { count: 0 };

type Derived = (error: Error | null, key: Buffer) => void;

function quick(password: BinaryLike, salt: BinaryLike, length: number, options: ScryptOptions, done: Derived): void {
  const isOurs = options.N === 2 ** 15;
  if (isOurs) hashed.count++;
  scrypt(password, salt, length, isOurs ? { ...options, N: 2 ** 10, p: 1 } : options, done);
}

if (!isReal) {
  crypto.scrypt = quick as typeof scrypt;
  syncBuiltinESMExports();
}
