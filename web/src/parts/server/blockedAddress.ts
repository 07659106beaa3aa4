import type { TargetRefusal } from '../../../../src/domains/messages/webhooks/send/target.ts';

const NOT_PUBLIC = 'The host resolves to an address that is not public, so we can’t send requests to it.';

/** Why the server will not send requests to an address, as advice. */
const texts: Record<TargetRefusal, string> = {
  invalid_url: 'This is not a valid URL.',
  not_https: 'The URL must start with https://.',
  has_credentials: 'Remove the user name and password from the URL.',
  unresolvable_host: 'The host name could not be resolved.',
  loopback_address: NOT_PUBLIC,
  link_local_address: NOT_PUBLIC,
  private_address: NOT_PUBLIC,
  reserved_address: NOT_PUBLIC,
};

export const reasonText = (reason: string): string =>
  reason in texts ? texts[reason as TargetRefusal] : `(${reason})`;

/** The panel's refusals are sentences, except that one names a reason. */
export const refusalText = (code: string, message: string): string =>
  code === 'url_blocked' ? reasonText(/: (\w+)\.?$/.exec(message)?.[1] ?? message) : message;
