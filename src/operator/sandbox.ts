import { turnClock, turnClockBack } from '../actions/test-clock.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';
import { showClock } from '../worlds/sandbox/test-clock.ts';
import { command } from './command.ts';
import { duration, integer, required } from './options.ts';

const partner = required(integer('PARTNER_ID', 'whose sandbox'));
const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

export const sandboxCommands = [
  command({
    path: ['sandbox', 'clock', 'advance'],
    summary: "Move the time of a partner's sandbox forward: deferrals, expiries and retry waits come nearer",
    options: { partner, by: required(duration(units, 'how far; two years ahead is the most')) },
    run: (context, input) => turnClock(context, input.partner, input.by),
  }),
  command({
    path: ['sandbox', 'clock', 'reset'],
    summary: "Set the time of a partner's sandbox back to the real time",
    options: { partner },
    run: (context, input) => turnClockBack(context, input.partner),
  }),
  command({
    path: ['sandbox', 'clock', 'show'],
    summary: "The time of a partner's sandbox",
    options: { partner },
    run: ({ db, clock }, input) => showClock(db, input.partner, clock.now()),
  }),
];
