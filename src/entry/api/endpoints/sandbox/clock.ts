import { turnClock, turnClockBack } from '../../../../actions/system/test-clock.ts';
import { SECOND } from '../../../../platform/clock.ts';
import { described, said, utcTime } from '../../../../platform/contract/described.ts';
import { fail } from '../../../../platform/contract/failure.ts';
import { flag, integer } from '../../../../platform/contract/fields.ts';
import { Type } from '../../../../platform/contract/schema.ts';
import { MAX_AHEAD_MS } from '../../../../worlds/sandbox/test-clock.ts';
import { changing } from '../../changing.ts';
import { endpoint } from '../../endpoint.ts';

export const clock = endpoint({
  path: '/sandbox/clock',
  verb: 'POST',
  tier: 'money',
  permission: 'money',
  summary: "Move the sandbox's clock ahead, or back to real time (sandbox keys only)",
  about:
    'Deferred orders, expiries and retries of webhooks fall due as if the time had passed. Every further call sees the new time. At most two years ahead in all.',
  isExtension: true,
  needs: (world) => world.tools,
  fields: {
    advance: described(
      'How far, in seconds, from where the clock is now.',
      integer({ min: 1, max: MAX_AHEAD_MS / SECOND }, 'invalid_advance'),
      { example: 86_400 },
    ),
    reset: described('1: back to real time.', flag('invalid_reset', false)),
  },
  errors: ['sandbox_only_action', 'advance_required', 'clock_too_far'],
  simulated: ['clock_too_far'],
  reply: Type.Object({
    now: utcTime("The time in your account's sandbox."),
    ahead_seconds: said.integer('How far it is ahead of real time.'),
  }),
  async handle(context, { advance, reset }) {
    if (reset && advance !== undefined) throw fail('invalid_advance');
    if (!reset && advance === undefined) throw fail('advance_required');
    const { partnerId } = context;
    const turned = await changing(context, (actor) =>
      advance === undefined ? turnClockBack(actor, partnerId) : turnClock(actor, partnerId, advance * SECOND),
    );
    context.forgetKeys();
    return { body: { now: turned.sandbox_time, ahead_seconds: turned.ahead_seconds } };
  },
});
