import { Refused } from '../../../platform/contract/refused.ts';
import { Type } from '../../../platform/contract/schema.ts';
import { commandInput } from '../run.ts';

const MB = 1024 * 1024;

/** The text of a file that a page sends, with the fields of its form. Reading more at once would make requests wait. */
export const upload = (maxMb: number) => ({
  // A string in JSON has up to twice the bytes of its text: every quote and every line break is two.
  maxBytes: 2 * maxMb * MB + 16 * 1024,
  body: Type.Object({ input: commandInput, text: Type.String() }),
  /** Throws if the file is too large. */
  requireShort(text: string): void {
    if (Buffer.byteLength(text) > maxMb * MB)
      throw new Refused('invalid_input', `the file is larger than ${maxMb} MB; the command line takes any size`);
  },
});
