import { reasonText } from '../../parts/server/blockedAddress.ts';

const BLOCKED = 'blocked: ';

/** The delivery errors that have a code of ours. */
const ours: Readonly<Record<string, string>> = {
  timeout: 'Your server did not respond within 10 seconds.',
  interrupted: 'Our server was stopped during this attempt, so its outcome is not known.',
  unreadable: 'The stored body or secret could not be read. Contact support.',
  discarded: 'Discarded when the webhook was resumed.',
  'held too long': 'Held for 7 days while the webhook was stopped, then given up.',
  'subscription deleted': 'The webhook was deleted before this could be sent.',
  'too many interim responses': 'Your server kept sending interim responses (1xx) and no final one.',
};

/** What a connection's error code means; the beginning of the error as it is logged. */
const codes: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Your server refused the connection.',
  ECONNRESET: 'Your server closed the connection before it answered.',
  UND_ERR_SOCKET: 'Your server closed the connection before it answered.',
  EPIPE: 'Your server closed the connection before it answered.',
  EHOSTUNREACH: 'Your server could not be reached.',
  ENETUNREACH: 'Your server could not be reached.',
  ETIMEDOUT: 'Your server could not be reached in time.',
  UND_ERR_CONNECT_TIMEOUT: 'Your server could not be reached in time.',
  CERT_HAS_EXPIRED: 'Your server’s certificate has expired.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Your server’s certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Your server’s certificate is signed by an authority we don’t know.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Your server does not send the intermediate certificate.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'Your server’s certificate is signed by an authority we don’t know.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Your server’s certificate is for another host name.',
};

/** The error of a delivery or a probe in words, with the technical text where there is one. */
export function deliveryError(error: string): string {
  if (error.startsWith(BLOCKED)) return `Not sent. ${reasonText(error.slice(BLOCKED.length))}`;
  const [, code = '', detail = ''] = /^([A-Z_]+): (.*)$/s.exec(error) ?? [];
  const known = codes[code];
  return known === undefined ? (ours[error] ?? error) : `${known} (${detail})`;
}
