import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { readConfig } from '../../../src/platform/settings/config.ts';
import type { MailSettings } from '../../../src/platform/settings/mail.ts';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it came over the wire. */
  readonly raw: string;
  /** Unfolded, names in lower case; subject and addresses as a person reads them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
  readonly text: string;
  /** The same for mail programs that show more; empty: there is none. */
  readonly html: string;
  readonly files: readonly MailFile[];
}

interface MailFile {
  readonly name: string;
  readonly type: string;
  /** The name by which the HTML shows it; empty: it stands on its own. */
  readonly cid: string;
  readonly bytes: Buffer;
}

/** A real SMTP server on loopback. */
export interface SmtpServer extends AsyncDisposable {
  readonly port: number;
  readonly settings: MailSettings;
  readonly received: Received[];
  /** Replies with this to every recipient it names; undefined: accepts. */
  refuse: (recipient: string) => { code: number; message: string } | undefined;
  /** Awaited after a message was taken, before the server says so. */
  beforeAccept: () => Promise<void>;
  to(address: string): Received[];
}

export const FROM = 'Wayfare <post@wayfare.test>';

export function settingsFor(port: number, user = ''): MailSettings {
  const { mail } = readConfig({ SMTP_URL: `smtp://${user}127.0.0.1:${port}`, MAIL_FROM: FROM });
  if (!mail) throw new Error('no settings');
  return mail;
}

export async function smtpServer({
  port,
  ...options
}: SMTPServerOptions & { port?: number } = {}): Promise<SmtpServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    disabledCommands: options.onAuth ? [] : ['AUTH'],
    hideSTARTTLS: true,
    allowInsecureAuth: true,
    logger: false,
    ...options,
    onRcptTo({ address }, _session, done) {
      const refusal = self.refuse(address);
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.code }));
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw, ...parsed(raw) });
        self.beforeAccept().then(() => done(), done);
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port ?? 0, '127.0.0.1', resolve));
  const at = (server.server.address() as AddressInfo).port;
  const self: SmtpServer = {
    port: at,
    settings: settingsFor(at),
    received,
    refuse: () => undefined,
    beforeAccept: async () => {},
    to: (address) => received.filter((mail) => mail.to.includes(address)),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
  return self;
}

/** A message, or a part of one, down to its leaves. */
function parsed(raw: string): Pick<Received, 'headers' | 'text' | 'html' | 'files'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 2))]),
  );
  const body = rest.join('\r\n\r\n');
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  const boundary = /boundary="?([^";]+)/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary !== undefined) {
    const parts = body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => parsed(part.replace(/^\r\n|\r\n$/g, '')));
    const found = (of: 'text' | 'html') => parts.map((part) => part[of]).find((text) => text !== '') ?? '';
    return { headers, text: found('text'), html: found('html'), files: parts.flatMap(({ files }) => files) };
  }
  const written = quotedPrintable(body).replaceAll('\r\n', '\n');
  if (!headers['content-disposition'])
    return { headers, text: type === 'text/html' ? '' : written, html: type === 'text/html' ? written : '', files: [] };
  const name = /filename="?([^";]+)/.exec(headers['content-disposition'])?.[1] ?? '';
  const cid = headers['content-id']?.replace(/^<|>$/g, '') ?? '';
  return { headers, text: '', html: '', files: [{ name, type, cid, bytes: Buffer.from(body, 'base64') }] };
}

const quotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

/** Encoded words of RFC 2047. */
const words = (text: string): string =>
  text
    .replace(/\?= =\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString('utf8')
        : quotedPrintable(word.replaceAll('_', ' ')),
    );
