import { randomUUID } from 'node:crypto';

/** The process's own part is random, the rest counts up: no two requests share one, and none costs a random draw. */
const ours = randomUUID().slice(0, 24);
let count = 0;

export function nextRequestId(): string {
  count += 1;
  return ours + count.toString(16).padStart(12, '0');
}
