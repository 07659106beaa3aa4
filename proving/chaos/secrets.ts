/*
 * A long walk knows tens of thousands of secrets, and its server logs megabytes: looking for one after the other takes minutes. So
 * the text is looked at once, in pieces of PIECE characters that begin at every STRIDE-th place. Wherever a secret stands, one of
 * these places is among the first STRIDE of its last characters. The pieces there are what each secret is kept under.
 */
const PIECE = 16;
const STRIDE = 8;
const TAIL = PIECE + STRIDE - 1;

/** What must never be logged. */
export class Secrets {
  readonly #byPiece = new Map<string, Set<string>>();
  readonly #short = new Set<string>();

  add(secret: string): void {
    if (secret.length < TAIL) {
      this.#short.add(secret);
      return;
    }
    for (let i = 0; i < STRIDE; i++) {
      const at = secret.length - TAIL + i;
      const piece = secret.slice(at, at + PIECE);
      this.#byPiece.set(piece, (this.#byPiece.get(piece) ?? new Set()).add(secret));
    }
  }

  /** Where the first one found begins; undefined: there is none. */
  findIn(text: string): number | undefined {
    for (const secret of this.#short) if (text.includes(secret)) return text.indexOf(secret);
    for (let at = 0; at + PIECE <= text.length; at += STRIDE)
      for (const secret of this.#byPiece.get(text.slice(at, at + PIECE)) ?? []) {
        const from = Math.max(0, at - secret.length);
        const found = text.slice(from, at + secret.length).indexOf(secret);
        if (found >= 0) return from + found;
      }
    return undefined;
  }
}
