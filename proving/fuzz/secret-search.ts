/** What is recognised by its form: keys, secrets of webhooks, links, sessions, what pays a card payment. */
const FORMS = /\besk_(test_)?[0-9a-f]{40}\b|\bwhsec_[\w+/=-]{16,}|\bwf[lovs]_[\w-]{43}|LPA:1\$[^"\\]+/;
const KEPT = 400;

/** Reads everything a server logs, and keeps nothing of it but what must not be there, and the last error. */
export class SecretSearch {
  readonly leaks: string[] = [];
  lastError = '';
  #rest = '';

  read(output: string): void {
    const text = this.#rest + output;
    const end = text.lastIndexOf('\n') + 1;
    this.#rest = text.slice(end);
    for (const line of text.slice(0, end).split('\n')) {
      if (this.#isLeak(line)) this.leaks.push(line.slice(0, KEPT));
      if (line.startsWith('{"level":"error"')) this.lastError = line;
    }
  }

  /** The banner shows keys on purpose; what is logged is JSON. */
  #isLeak(line: string): boolean {
    if (!line.startsWith('{')) return false;
    return FORMS.test(line);
  }
}
