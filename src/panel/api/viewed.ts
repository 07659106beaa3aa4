/** What installs an eSIM, or leads to the page that does, wherever the API's answers name it. */
const SECRETS: ReadonlySet<string> = new Set([
  'qrcode',
  'qrcode_url',
  'lpa',
  'smdpAddress',
  'matching_id',
  'activationCode',
  'confirmation_code',
  'share_url',
  'apple_url',
  'android_url',
  'direct_apple_installation_url',
]);

/** An answer of the API as an operator sees it who looks at a partner's panel: activation data is shown in the console, and recorded there. */
export const withoutActivation = (body: string): string =>
  JSON.stringify(JSON.parse(body, (name, value) => (SECRETS.has(name) && value !== null ? '' : value)));
