import { systemClock } from './clock.ts';

type Line = (...given: [message: string] | [fields: Readonly<Record<string, unknown>>, message: string]) => void;

/**
 * - `error` wakes somebody: money, an order or the whole service is at risk, and only a person can put it right. Nothing that a
 *   partner or a stranger sends may cause one at will, or they could keep the operator awake.
 * - `warn` is read in the morning: something failed that is retried or heals by itself, or somebody else's service failed.
 * - `info` is what happened: requests, starts and stops, a receiver that is back.
 * - `debug` is for finding out why.
 */
const levels = ['debug', 'info', 'warn', 'error'] as const;
export type Log = Readonly<Record<(typeof levels)[number], Line>>;

/** Anything shaped like one of our secrets, anywhere in a line. */
const SECRETS =
  /esk_(?:test_)?[0-9a-f]{6,}|whsec_[0-9a-f]{6,}|wf[abclostv]_[\w-]{6,}|LPA:1\$[^"\s\\]+|(?:sk|rk|whsec)_(?:live|test)_\w+/gi;

/**
 * JSON lines from `level` up (`silent`: none). Secrets are cut out of the finished line, so no caller can forget to. Why we
 * write them ourselves: docs/decisions/0008.
 */
export function createLog(level: string, write: (line: string) => void = (line) => process.stdout.write(line)): Log {
  const least = level === 'silent' ? levels.length : levels.indexOf(level as 'info');
  const lines = levels.map((name, rank): [string, Line] => {
    if (rank < least) return [name, () => {}];
    return [name, (...given) => write(redact(`{"level":"${name}"${timeField()}${rest(given)}}\n`))];
  });
  return Object.fromEntries(lines) as Log;
}

function rest(given: Parameters<Line>): string {
  if (given.length === 1) return `,"msg":${JSON.stringify(given[0])}`;
  const [fields, message] = given;
  const text = toJson('err' in fields ? { ...fields, err: describeError(fields.err) } : fields);
  return `${text === '{}' ? '' : `,${text.slice(1, -1)}`},"msg":${JSON.stringify(message)}`;
}

/** A field that JSON cannot express costs its value, never the line or the request behind it. */
function toJson(fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(fields);
  } catch {
    return JSON.stringify(Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)])));
  }
}

/** Only what helps to find the cause: drivers attach whole connections to their errors. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return { type: name, message, code, stack, ...(cause === undefined ? {} : { cause: describeError(cause) }) };
}

let writtenAt = 0;
let written = '';

/** Many lines share a millisecond, and formatting it costs more than the rest of a line. */
function timeField(): string {
  const now = systemClock.now();
  if (now !== writtenAt) {
    writtenAt = now;
    written = `,"time":"${new Date(now).toISOString()}"`;
  }
  return written;
}

export function redact(text: string): string {
  // Every secret contains one of these two characters, and most lines contain neither.
  if (!text.includes('_') && !text.includes('$')) return text;
  return text.replace(SECRETS, (secret) => `${secret.slice(0, secret.indexOf('_') + 1) || 'LPA:'}[redacted]`);
}

/** Joins the lines of `FLUSH_MS` into one write instead of one system call each. Flushed when the process ends. */
export function bufferedWriter(write: (text: string) => void): { write(line: string): void; flush(): void } {
  let waiting = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === '') return;
    const text = waiting;
    waiting = '';
    write(text);
  };
  process.once('exit', flush);
  return {
    write(line) {
      waiting += line;
      timer ??= setTimeout(flush, FLUSH_MS);
    },
    flush,
  };
}

const FLUSH_MS = 20;
