import { parseTimestamp } from '../../../platform/clock.ts';
import type { Mode } from '../../../platform/contract/mode.ts';
import { type InvalidField, Refused } from '../../../platform/contract/refused.ts';
import type { Call } from './action.ts';

/** Reads the filters of a list from its address. Empty and missing are the same: no filter. What cannot be read is refused. */
export function filtersFrom({ query }: Pick<Call, 'query'>) {
  const read = <T>(name: InvalidField, parse: (text: string) => T | undefined, expected: string): T | undefined => {
    const text = query(name).trim();
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined) throw new Refused(`invalid_${name}`, `${expected}, not "${text.slice(0, 40)}"`);
    return value;
  };
  return {
    read,
    text: (name: InvalidField) =>
      read(name, (text) => (text.length <= 300 ? text : undefined), 'give 300 characters at most'),
    number: (name: InvalidField) =>
      read(name, (text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined), `${name} is a number`),
    id: (name: InvalidField) =>
      read(name, (text) => (/^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : undefined), `${name} is a number`),
    oneOf: <T extends string>(name: InvalidField, known: readonly T[]) =>
      read(name, (text) => known.find((one) => one === text), `${name} is one of ${known.join(', ')}`),
    time: (name: InvalidField) => read(name, timeOf, 'write the time as 2026-11-15 or 2026-11-15T14:30'),
    mode: (): Mode => read('mode', (text) => MODES.find((one) => one === text), 'mode is live or sandbox') ?? 'live',
  };
}

const MODES = ['live', 'sandbox'] as const;

/** A day or a minute, in UTC. */
function timeOf(text: string): Date | undefined {
  const [, day, minute = 'T00:00'] = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2})?$/.exec(text) ?? [];
  return parseTimestamp(`${day}${minute}Z`);
}
