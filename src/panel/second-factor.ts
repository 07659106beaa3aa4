import { Type } from 'typebox';
import { renderSVG } from 'uqr';
import { newRecoveryCodes, turnOffSecondFactor, turnOnSecondFactor } from '../actions/second-factor.ts';
import { step } from '../audit/action-keys.ts';
import type { Base } from '../base.ts';
import { findSecondFactor, startSecondFactor } from '../people/people.ts';
import { shortText } from '../site/action.ts';
import { codesView, factorView, setupView } from '../site/views/second-factor.ts';
import { type MemberAction, memberAction } from './member-action.ts';

/** The member's own second factor. The key and the recovery codes are shown once, when they are made. */
export const secondFactorActions = ({ db, vault }: Base): MemberAction[] => [
  memberAction({
    verb: 'GET',
    path: '/api/second-factor',
    may: 'see',
    handle: async ({ member }) => ({ body: factorView(await findSecondFactor(db, member.personId)) }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/second-factor/start',
    may: 'see',
    fresh: true,
    async handle({ actor, member }) {
      const { secret, address } = await step(actor, (tx) =>
        startSecondFactor(tx, vault, member.personId, member.email),
      );
      return { body: setupView(secret, renderSVG(address, { border: 2 })) };
    },
  }),
  memberAction({
    verb: 'POST',
    path: '/api/second-factor/turn-on',
    may: 'see',
    fresh: true,
    body: Type.Object({ code: shortText }),
    handle: async ({ actor, member, token }, { code }) => ({
      body: codesView(await turnOnSecondFactor(actor, member, { code, token })),
    }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/second-factor/recovery-codes',
    may: 'see',
    fresh: true,
    handle: async ({ actor, member }) => ({ body: codesView(await newRecoveryCodes(actor, member)) }),
  }),
  memberAction({
    verb: 'POST',
    path: '/api/second-factor/turn-off',
    may: 'see',
    fresh: true,
    async handle({ actor, member }) {
      await turnOffSecondFactor(actor, member);
      return { body: {} };
    },
  }),
];
