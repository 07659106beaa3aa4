import { randomUUID } from 'node:crypto';

/** The start is random per process, the rest counts up: ids are unique without generating random bytes per request. */
const ours = randomUUID().slice(0, 24);
let count = 0;

export function nextRequestId(): string {
  count += 1;
  return ours + count.toString(16).padStart(12, '0');
}
