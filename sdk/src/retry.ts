/** How an attempt failed. Without a status, no answer came. */
export interface Failure {
  readonly httpStatus?: number | undefined;
  readonly code?: string | undefined;
  readonly isSimulated?: boolean;
  readonly retryAfterSeconds?: number | undefined;
}

export interface Tries {
  /** Failed attempts before this one. */
  readonly retries: number;
  readonly maxRetries: number;
  readonly had500: boolean;
  /** Whether sending it twice does the same as sending it once. */
  readonly isRepeatable: boolean;
}

/** The limiter's window is a minute, so a longer wait has another cause, which the caller should know about. */
const LONGEST_WAIT_SECONDS = 120;

const backOffMs = (retries: number): number => Math.min(500 * 2 ** retries, 8_000) * (0.5 + Math.random() / 2);

const untilNextMinuteMs = (): number => 60_000 - (Date.now() % 60_000);

/** The contract's retry rules: how long to wait before the next attempt, or undefined to give up. */
export function waitMsBeforeRetry(failure: Failure, tries: Tries): number | undefined {
  const { httpStatus, code, retryAfterSeconds } = failure;
  // A simulated error is the same each time.
  if (tries.retries >= tries.maxRetries || failure.isSimulated) return undefined;
  if (retryAfterSeconds !== undefined && retryAfterSeconds > LONGEST_WAIT_SECONDS) return undefined;
  const retryAfterMs = retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000;
  // Refused before anything was done, so this is safe for every call.
  if (httpStatus === 429) return retryAfterMs ?? untilNextMinuteMs();
  if (!tries.isRepeatable) return undefined;
  if (httpStatus === undefined || httpStatus === 503 || code === 'charge_in_progress')
    return retryAfterMs ?? backOffMs(tries.retries);
  if (httpStatus === 500) return tries.had500 ? undefined : backOffMs(tries.retries);
  // A proxy in between had no answer from the server.
  if (code === undefined && (httpStatus === 502 || httpStatus === 504)) return backOffMs(tries.retries);
  return undefined;
}
