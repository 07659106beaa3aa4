import { hash, timingSafeEqual } from 'node:crypto';

/** Whether a secret or a signature is the right one. Takes the same time whichever character differs, and however many there are. */
export function isSame(right: string | Buffer, given: string | Buffer): boolean {
  return timingSafeEqual(hash('sha256', right, 'buffer'), hash('sha256', given, 'buffer'));
}
