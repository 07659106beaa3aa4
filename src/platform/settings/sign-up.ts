import { ConfigError } from './environment.ts';

/** Who may open an account without being invited. */
export const signUpModes = ['off', 'review', 'open'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Nobody else can reach it, so links may be shown instead of mailed, and a second factor is optional. */
export const isOwnMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Off unless set, but open in a demo on localhost, the only place where a link may be shown instead of mailed. */
export function readSignUp(
  given: string | undefined,
  { panelUrl, isDemo, mails }: { readonly panelUrl: URL; readonly isDemo: boolean; readonly mails: boolean },
): SignUpMode {
  const isOwn = isOwnMachine(panelUrl);
  const wanted = given || (isDemo && isOwn ? 'open' : 'off');
  const mode = signUpModes.find((one) => one === wanted);
  if (!mode) throw new ConfigError(`SIGN_UP must be one of ${signUpModes.join(', ')}`);
  if (mode !== 'off' && !mails && !isOwn)
    throw new ConfigError(`SIGN_UP=${mode} also needs SMTP_URL: links are mailed`);
  return mode;
}
