import { ConfigError } from './environment.ts';

/** Who may open an account without being invited. */
export const signUpModes = ['off', 'review', 'open'] as const;
export type SignUpMode = (typeof signUpModes)[number];

/** Nobody else reaches it, so what would be mailed may be shown, and a second factor is a choice. */
export const isOwnMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** Off unless set, and open in a demo on one's own machine. A link that cannot be mailed is shown, which only the latter may. */
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
