import { DAY, HOUR, MINUTE, SECOND } from '../clock.ts';
import { advanceClock, resetClock, showClock } from '../worlds/sandbox/test-clock.ts';
import { audit } from './audit-log.ts';
import { command } from './command.ts';
import { duration, integer, required } from './options.ts';

const partner = required(integer('PARTNER_ID', 'whose sandbox'));
const units = { s: SECOND, m: MINUTE, h: HOUR, d: DAY };

export const sandboxCommands = [
  command({
    path: ['sandbox', 'clock', 'advance'],
    summary: "Move the time of a partner's sandbox forward: deferrals, expiries and retry waits come nearer",
    options: { partner, by: required(duration(units, 'how far; two years ahead is the most')) },
    run: ({ db, who, clock }, input) =>
      db.tx(async (tx) => {
        const before = await showClock(tx, input.partner, clock.now());
        const after = await advanceClock(tx, input.partner, input.by, clock.now());
        await audit(tx, { who, what: 'sandbox clock advance', target: `partner ${input.partner}`, before, after });
        return after;
      }),
  }),
  command({
    path: ['sandbox', 'clock', 'reset'],
    summary: "Set the time of a partner's sandbox back to the real time",
    options: { partner },
    run: ({ db, who, clock }, input) =>
      db.tx(async (tx) => {
        const before = await showClock(tx, input.partner, clock.now());
        const after = await resetClock(tx, input.partner, clock.now());
        await audit(tx, { who, what: 'sandbox clock reset', target: `partner ${input.partner}`, before, after });
        return after;
      }),
  }),
  command({
    path: ['sandbox', 'clock', 'show'],
    summary: "The time of a partner's sandbox",
    options: { partner },
    run: ({ db, clock }, input) => showClock(db, input.partner, clock.now()),
  }),
];
