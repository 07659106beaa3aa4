import { batcher } from '../../../platform/db/query/batch.ts';
import { isTokenOf, type TokenKind, tokenHash } from './token.ts';

const MAX_BATCH = 100;

/**
 * Finds what belongs to tokens, all that are waiting in one query, one query at a time: anyone can send an invented token, and
 * however many do, they share one connection. `read` gets the hashes and answers rows with `hash` in hexadecimal.
 */
export function tokenLookUp<Row extends { readonly hash: string }>(
  kind: TokenKind,
  read: (hashes: readonly Buffer[]) => Promise<readonly Row[]>,
): (token: string) => Promise<Row | undefined> {
  const find = batcher(
    async (tokens: readonly string[]) => {
      const hashes = tokens.map(tokenHash);
      try {
        const rows = new Map((await read(hashes)).map((row) => [row.hash, row]));
        return hashes.map((hash) => rows.get(hash.toString('hex')));
      } catch (error) {
        // Every caller gets it. Thrown, the batch would be repeated token by token.
        return tokens.map(() => error as Error);
      }
    },
    { max: MAX_BATCH },
  );
  return async (token) => (isTokenOf(kind, token) ? find(token) : undefined);
}
