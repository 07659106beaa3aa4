import { hash, randomBytes } from 'node:crypto';
import { API_KEY } from '../../../platform/contract/ids.ts';
import type { Mode } from '../../../platform/contract/mode.ts';

export type { Mode };

const PREFIX = { live: 'esk_', sandbox: 'esk_test_' } as const;
const RANDOM_HEX = 32;
const CHECK_HEX = 8;

const checksum = (text: string): string => hash('sha256', text, 'hex').slice(0, CHECK_HEX);

/** 32 random hex characters and an 8-character checksum, so that a made-up key is rejected without a query. */
export function newKey(mode: Mode): string {
  const body = PREFIX[mode] + randomBytes(RANDOM_HEX / 2).toString('hex');
  return body + checksum(body);
}

/** Enough to recognise a key, but useless for a call. */
export const maskKey = (mode: Mode, last4: string): string => `${PREFIX[mode]}…${last4}`;

/** The mode a key claims by its prefix; undefined if it has neither prefix. */
export function claimedMode(key: string): Mode | undefined {
  if (key.startsWith(PREFIX.sandbox)) return 'sandbox';
  return key.startsWith(PREFIX.live) ? 'live' : undefined;
}

export function isWellFormed(key: string): boolean {
  if (!API_KEY.test(key)) return false;
  return checksum(key.slice(0, -CHECK_HEX)) === key.slice(-CHECK_HEX);
}

/** What the database stores of a key, in hex. */
export const keyHash = (key: string): string => hash('sha256', key, 'hex');
