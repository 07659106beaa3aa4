/** A refusal to an operator or in the panel: a stable code and, where it helps, a sentence. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string = code.replaceAll('_', ' ')) {
    super(message);
    this.code = code;
  }
}

/** Not now: whoever asks may try again after `retryAfterSeconds`. */
export class TooManyAttempts extends Refused {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('too_many_attempts', 'too many attempts, try again later');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
