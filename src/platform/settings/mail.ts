export type MailSettings = Exclude<ReturnType<typeof readMailSettings>, undefined | string>;

const MAX_ADDRESS_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;
/** RFC 5321's unquoted local part, plus letters and digits of other scripts (SMTPUTF8). Nothing in it can mean something to a header. */
const LOCAL = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const LABEL = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u;

/** Whether we send mail to this address. Stricter than RFC 5322: no quotes, comments, address lists or bare IP addresses. */
export function isMailable(address: string): boolean {
  const [local, domain, ...more] = address.split('@');
  if (local === undefined || domain === undefined || more.length > 0) return false;
  if (address.length > MAX_ADDRESS_LENGTH || local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local)) return false;
  const labels = domain.split('.');
  return labels.every((label) => LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

/** `ops@example.com` or `Example Travel <ops@example.com>`; undefined if it is neither. */
function readMailAddress(text: string) {
  const [, name = '', address = ''] = /^(?:([^<>"\p{C}]*)<([^<>]+)>)$/u.exec(text.trim()) ?? [];
  const found = address === '' ? { name: '', address: text.trim() } : { name: name.trim(), address };
  return isMailable(found.address) ? found : undefined;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/**
 * Reads `SMTP_URL` and `MAIL_FROM`. The result is a sentence when they cannot work; it never repeats the URL, which may hold a
 * password.
 */
export function readMailSettings(smtpUrl: string | undefined, from: string | undefined) {
  const sender = from ? readMailAddress(from) : undefined;
  if (from && !sender) return 'MAIL_FROM must be an address like ops@example.com or Example Travel <ops@example.com>';
  if (!smtpUrl) return undefined;
  const server = readServer(smtpUrl);
  if (!server) return 'SMTP_URL must be an address like smtps://user:password@mail.example.com:465';
  if (!sender) return 'SMTP_URL also needs MAIL_FROM, the address that mails come from';
  return { ...server, from: sender };
}

function readServer(text: string) {
  const url = URL.parse(text);
  const port = url && PORTS[url.protocol];
  if (!url || !port || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search || url.hash) return undefined;
  if ((url.username === '') !== (url.password === '')) return undefined;
  try {
    const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? port : Number(url.port),
      /** TLS from the first byte (`smtps:`); otherwise STARTTLS. */
      secure: url.protocol === 'smtps:',
      /** The account at the server; undefined: it takes our mail without one. */
      auth: user === '' ? undefined : { user, pass },
    };
  } catch {
    return undefined;
  }
}
