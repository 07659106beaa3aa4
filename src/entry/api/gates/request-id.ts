import { randomUUID } from 'node:crypto';

/** The start is random per process, the rest counts up: ids are unique without generating random bytes per request. */
const ours = randomUUID().slice(0, 24);
const LAST_DIGITS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
let count = 0;
/** All but the last two digits, which are the same for 256 ids. */
let beginning = '';

export function nextRequestId(): string {
  count += 1;
  const last = count % LAST_DIGITS.length;
  if (last === 0 || beginning === '')
    beginning = ours + ((count - last) / LAST_DIGITS.length).toString(16).padStart(10, '0');
  return beginning + LAST_DIGITS[last];
}
