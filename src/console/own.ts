import { Type } from 'typebox';
import { renderSVG } from 'uqr';
import {
  changeOperatorPassword,
  newOperatorCodes,
  turnOffOperatorFactor,
  turnOnOperatorFactor,
} from '../actions/own-operator.ts';
import { step } from '../audit/action-keys.ts';
import type { Base } from '../base.ts';
import { SECOND } from '../clock.ts';
import {
  confirmOperator,
  endSessionOfOperator,
  endSessionsOfOperator,
  FRESH_MS,
  listOperatorSessions,
  type OpenOperatorSession,
  operatorFactor,
} from '../people/people.ts';
import { bigIdOf, iso, shortText } from '../site/action.ts';
import { browserName } from '../site/browser-name.ts';
import { codesView, factorView, setupView } from '../site/views/second-factor.ts';
import { type OperatorAction, operatorAction } from './action.ts';

/** No command: nobody is signed in at the command line. */
const OWN = 'it is about the operator who is signed in: their own password, second factor and sessions';

/** What operators do for themselves, whatever their role. */
export const ownActions = (base: Base): OperatorAction[] => [...passwords(base), ...factor(base), ...sessions(base)];

const passwords = ({ db, vault }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'POST',
    path: '/operator/api/confirm',
    may: 'see',
    beforeSecondFactor: true,
    noCommand: OWN,
    // Wrong passwords and codes are counted as at a sign-in.
    tier: 'none',
    keyless: 'it proves that the person is there now; an answer from before would prove nothing',
    body: Type.Object({ password: shortText, code: Type.Optional(shortText) }),
    async handle({ operator, address, token, now }, { password, code }) {
      await confirmOperator({ db, vault }, operator, { password, code, address }, token, now);
      return { body: { valid_seconds: FRESH_MS / SECOND } };
    },
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/password',
    may: 'see',
    beforeSecondFactor: true,
    noCommand: OWN,
    tier: 'none',
    body: Type.Object({ current: shortText, password: shortText }),
    async handle({ context, operator, address, token }, { current, password }) {
      await changeOperatorPassword(context, operator, { current, password, address, token });
      return { body: {} };
    },
  }),
];

const factor = ({ db, vault, config }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/second-factor',
    may: 'see',
    beforeSecondFactor: true,
    handle: async ({ operator }) => ({ body: factorView(await operatorFactor.find(db, operator.operatorId)) }),
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/second-factor/start',
    may: 'see',
    fresh: true,
    beforeSecondFactor: true,
    noCommand: OWN,
    async handle({ context, operator: { operatorId, email } }) {
      const { secret, address } = await step(context, (tx) =>
        operatorFactor.start(tx, vault, operatorId, `operator ${email}`),
      );
      return { body: setupView(secret, renderSVG(address, { border: 2 })) };
    },
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/second-factor/turn-on',
    may: 'see',
    fresh: true,
    beforeSecondFactor: true,
    noCommand: OWN,
    body: Type.Object({ code: shortText }),
    handle: async ({ context, operator, token }, { code }) => ({
      body: codesView(await turnOnOperatorFactor(context, operator, { code, token })),
    }),
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/second-factor/recovery-codes',
    may: 'see',
    fresh: true,
    noCommand: OWN,
    handle: async ({ context, operator }) => ({ body: codesView(await newOperatorCodes(context, operator)) }),
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/second-factor/turn-off',
    may: 'see',
    fresh: true,
    noCommand: OWN,
    async handle({ context, operator }) {
      await turnOffOperatorFactor(context, operator, config.panelUrl);
      return { body: {} };
    },
  }),
];

/** Ending one asks for nothing: somebody who suspects a stranger must be able to sign them out at once. */
const sessions = ({ db }: Base): OperatorAction[] => [
  operatorAction({
    verb: 'GET',
    path: '/operator/api/sessions',
    may: 'see',
    beforeSecondFactor: true,
    handle: async ({ operator, token, now }) => ({
      body: { sessions: (await listOperatorSessions(db, operator.operatorId, token, now)).map(sessionView) },
    }),
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/sessions/{id}/end',
    may: 'see',
    beforeSecondFactor: true,
    noCommand: OWN,
    tier: 'none',
    async handle(call) {
      await step(call.context, (tx) => endSessionOfOperator(tx, call.operator.operatorId, bigIdOf(call)));
      return { body: {} };
    },
  }),
  operatorAction({
    verb: 'POST',
    path: '/operator/api/sessions/end-others',
    may: 'see',
    beforeSecondFactor: true,
    noCommand: OWN,
    // It succeeds each time, and leaves a row.
    tier: 'read',
    async handle({ context, operator, token }) {
      await step(context, (tx) => endSessionsOfOperator(tx, operator.operatorId, token));
      return { body: {} };
    },
  }),
];

const sessionView = ({ sessionId, openedAt, lastSeenAt, address, userAgent, isThis }: OpenOperatorSession) => ({
  id: String(sessionId),
  opened_at: iso(openedAt),
  last_seen_at: iso(lastSeenAt),
  /** '' where it was not recorded. */
  address,
  browser: browserName(userAgent),
  is_this: isThis,
});

export type OperatorSessionView = ReturnType<typeof sessionView>;
