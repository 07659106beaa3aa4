/** A refusal to an operator or in the panel: a stable code and, where it helps, a sentence. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string, message: string = code.replaceAll('_', ' ')) {
    super(message);
    this.code = code;
  }
}
