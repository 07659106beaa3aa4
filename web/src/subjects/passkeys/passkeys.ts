import type { AnswerOf, BodyOf } from '../../parts/server/calls.ts';

type At = '/api' | '/operator/api';
export type PasskeyRequest = AnswerOf<`POST ${At}/passkeys/request`>['options'];
export type PasskeyAnswer = BodyOf<`POST ${At}/sign-in/passkey`>['passkey'];
type PasskeyCreation = AnswerOf<`POST ${At}/passkeys/start`>['options'];
type PasskeyMade = BodyOf<`POST ${At}/passkeys`>['passkey'];

/** Reads and writes what browsers and password managers call a credential, also where they do it in an older way. */
const library = () => import('@simplewebauthn/browser');

/** Browsers have passkeys on https pages and on localhost, and not at an address of numbers. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && !/^[\d.]+$|:/.test(window.location.hostname);

/** Asks for one. `isAlone`: it has to verify who uses it, because no password is given with it. */
export async function askForPasskey(options: PasskeyRequest, isAlone: boolean): Promise<PasskeyAnswer> {
  const { startAuthentication } = await library();
  const optionsJSON = { ...options, userVerification: isAlone ? 'required' : 'preferred' };
  return (await explained(
    startAuthentication({ optionsJSON } as Parameters<typeof startAuthentication>[0]),
  )) as PasskeyAnswer;
}

export async function makePasskey(optionsJSON: PasskeyCreation): Promise<PasskeyMade> {
  const { startRegistration } = await library();
  return (await explained(
    startRegistration({ optionsJSON } as Parameters<typeof startRegistration>[0]),
  )) as PasskeyMade;
}

/** Browsers say the same when somebody cancels, waits too long or has none, so that sites learn nothing. */
function explained<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error) => {
    const name = error instanceof Error ? error.name : '';
    if (name === 'InvalidStateError') throw new Error('This device or key has a passkey of yours already.');
    if (name === 'NotAllowedError' || name === 'AbortError')
      throw new Error('No passkey was used. Try again, or choose another way.');
    throw new Error('This browser could not use a passkey here.');
  });
}
