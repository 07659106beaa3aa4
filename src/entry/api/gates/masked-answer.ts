import { redact } from '../../../platform/log.ts';
import { withoutCredentials } from './masked-fields.ts';

/*
 * What the request log keeps of an answer: its text as it was sent, up to a limit, in which everything that opens something or says who
 * somebody is was replaced. Answers are our own JSON, so a pass over their tokens is enough: it costs a fraction of parsing them, and
 * works on the beginning of one that is longer than what is kept.
 */

/** Characters. */
export const MOST_KEPT = 16 * 1024;
const HIDDEN = '"[hidden]"';

/** Compared without case and underscores: our own names and those of the dialects. */
const hiddenNames: readonly RegExp[] = [
  // Activation data, links that lead to it, and pages that show it.
  /^(lpa|smdpaddress|matchingid|activationcode|confirmationcode|shareurl|qrcode.*)$/,
  /(apple|android|installation)url$/,
  // Credentials.
  /secret$|token|password|signature$|^paymentkey$|^publishablekey$/,
  // People, and what was sent about them: the body of a webhook is in its delivery, sealed.
  /email|msisdn|phone|^(buyer|address|device|payload|responsebody)$/,
];

/** Names are few, and long ones are not ours. */
const judged = new Map<string, boolean>();
const MOST_JUDGED = 1_000;

function isHidden(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const plain = name.toLowerCase().replaceAll('_', '');
  const hidden = hiddenNames.some((pattern) => pattern.test(plain));
  if (judged.size < MOST_JUDGED && name.length < 60) judged.set(name, hidden);
  return hidden;
}

/*
 * From quote to quote. Every quote belongs to a text, so nothing that is in one leads the pass out of step. A text that was cut has no
 * end, and is left out: it may be half a secret.
 */
export function maskedAnswer(text: string): string {
  const given = text.length > MOST_KEPT ? text.slice(0, MOST_KEPT) : text;
  let kept = '';
  /** Up to here, `given` is in `kept` or was replaced. */
  let done = 0;
  let url = given.indexOf('://');
  let at = given.indexOf('"');
  while (at >= 0) {
    let end = endOfText(given, at);
    let by: string | undefined;
    if (end < 0) return redact(kept + given.slice(done, at));
    if (given[end] === ':') {
      const value = end + 1;
      const isHiding = isHidden(given.slice(at + 1, end - 1)) && /["[{\d-]/.test(given[value] ?? '');
      at = isHiding ? value : at;
      end = isHiding ? endOfValue(given, value) : value;
      by = isHiding && end - value !== '""'.length ? HIDDEN : undefined;
      if (end < 0) return redact(kept + given.slice(done, at) + HIDDEN);
    } else if (url >= 0 && url < end) {
      if (url > at) by = `"${withoutCredentials('', given.slice(at + 1, end - 1))}"`;
      url = given.indexOf('://', end);
    }
    if (by !== undefined) {
      kept += given.slice(done, at) + by;
      done = end;
    }
    at = given.indexOf('"', end);
  }
  return redact(kept + given.slice(done));
}

/** After the closing quote; -1: there is none. */
function endOfText(json: string, from: number): number {
  let end = json.indexOf('"', from + 1);
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end < 0 ? -1 : end + 1;
}

function isEscaped(json: string, quote: number): boolean {
  let before = quote;
  while (json[before - 1] === '\\') before--;
  return (quote - before) % 2 === 1;
}

/** Of a text, a number, an object or a list. */
function endOfValue(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return endOfText(json, from);
  if (first !== '{' && first !== '[') return from + (/^[-\d.eE+]+/.exec(json.slice(from, from + 30))?.[0].length ?? 0);
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    const char = json[at];
    if (char === '"') at = endOfText(json, at) - 1;
    if (at < 0) return -1;
    if (char === '{' || char === '[') depth++;
    if (char === '}' || char === ']') depth--;
    if (depth === 0) return at + 1;
  }
  return -1;
}
