import { turnClock, turnClockBack } from '../../actions/test-clock.ts';
import { showClock } from '../../worlds/sandbox/test-clock.ts';
import { command } from './command.ts';
import { duration, integer, required } from './options.ts';

const partner = required(integer('PARTNER_ID', 'the partner'));

export const sandboxCommands = [
  command({
    path: ['sandbox', 'clock', 'advance'],
    console: { may: 'support' },
    summary: "Move the clock of a partner's sandbox forward, so that deferred orders, expiries and retries fall due",
    options: { partner, by: required(duration('how far, e.g. 90s, 15m, 2h or 3d; at most two years ahead in total')) },
    run: (context, input) => turnClock(context, input.partner, input.by),
  }),
  command({
    path: ['sandbox', 'clock', 'reset'],
    console: { may: 'support' },
    summary: "Set the clock of a partner's sandbox back to real time",
    options: { partner },
    run: (context, input) => turnClockBack(context, input.partner),
  }),
  command({
    path: ['sandbox', 'clock', 'show'],
    console: 'shown',
    summary: "Show the time in a partner's sandbox",
    options: { partner },
    run: ({ db, clock }, input) => showClock(db, input.partner, clock.now()),
  }),
];
