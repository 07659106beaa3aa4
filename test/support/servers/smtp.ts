import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { readConfig } from '../../../src/platform/settings/config.ts';
import type { MailSettings } from '../../../src/platform/settings/mail.ts';
import { freePort } from '../program/ports.ts';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  /** The message as it came over the wire. */
  readonly raw: string;
  /** Unfolded, names in lower case; subject and addresses as a person reads them. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decoded. */
  readonly text: string;
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

/** A port where nothing answers yet. */
export const deadPort = freePort;

function parsed(raw: string): Pick<Received, 'headers' | 'text'> {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), words(line.slice(line.indexOf(':') + 2))]),
  );
  return { headers, text: quotedPrintable(rest.join('\r\n\r\n')).replaceAll('\r\n', '\n') };
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
