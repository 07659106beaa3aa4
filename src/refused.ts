/**
 * The one kind of refusal below the API: a stable code and, where it helps, a sentence for the person who asked. The command
 * line and the panel print it; anything else that is thrown is a bug.
 */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string = code.replaceAll('_', ' ')) {
    super(message);
    this.code = code;
  }
}

/** Not now: the caller may try again after `retryAfterSeconds`. */
export class TooManyAttempts extends Refused {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too_many_attempts', 'too many attempts, try again later');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
