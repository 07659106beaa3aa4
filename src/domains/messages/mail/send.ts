import { domainToASCII } from 'node:url';
import { SECOND } from '../../../platform/clock.ts';
import { redact } from '../../../platform/log.ts';
import type { MailSettings } from '../../../platform/settings/mail.ts';
import type { Content } from './queue.ts';
import { BATCH_MS } from './schedule.ts';

/** A mail ready to be sent. */
export interface Letter extends Pick<Content, 'subject' | 'text' | 'fromName'> {
  readonly messageId: string;
  readonly to: string;
  readonly date: Date;
  /** The same for mail programs that show more than text. */
  readonly html?: string | undefined;
  readonly attached?: readonly Attached[];
}

/** A file that goes with a mail. */
export interface Attached {
  /** The name by which the HTML shows it; undefined: it stands on its own. */
  readonly cid?: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export type Sent =
  | { readonly sent: true }
  | {
      readonly sent: false;
      /** The server will never take it. */
      readonly permanent: boolean;
      /** For the log: codes only, nothing the server wrote. */
      readonly reason: string;
      /** For the operator: what the server said, without our secrets. */
      readonly error: string;
    };

/** Sends a batch over a few connections. Never throws, and never takes much longer than `BATCH_MS`. */
export type Post = (letters: readonly Letter[]) => Promise<Sent[]>;

const MAX_CONNECTIONS = 3;
const CONNECT_MS = 10 * SECOND;
const SILENCE_MS = 20 * SECOND;
const MAX_ERROR_LENGTH = 200;

/**
 * A connection is encrypted unless it stays on this machine. With a password, or with `smtps:`, the server's certificate must be
 * valid. A relay that needs no password gets STARTTLS if it offers it, without a check, as mail servers do among themselves.
 */
const encryption = ({ host, secure, auth }: MailSettings) => {
  if (secure) return {};
  if (/^(localhost|127\.[\d.]+|::1)$/.test(host)) return { ignoreTLS: true };
  return auth ? { requireTLS: true } : { tls: { rejectUnauthorized: false } };
};

export function smtpPost(settings: MailSettings, limitMs = BATCH_MS): Post {
  const { host, port, secure, auth, from } = settings;
  const domain = domainToASCII(from.address.split('@')[1] ?? '');
  return async (letters) => {
    // Loaded when needed, as most processes send nothing.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      pool: true,
      ...{ host, port, secure, ...(auth && { auth }), ...encryption(settings) },
      maxConnections: MAX_CONNECTIONS,
      // By default it retries by itself after a lost connection. That could send a second copy, and retrying is the queue's
      // decision.
      maxRequeues: 0,
      ...{ connectionTimeout: CONNECT_MS, greetingTimeout: CONNECT_MS, socketTimeout: SILENCE_MS },
      ...{ disableFileAccess: true, disableUrlAccess: true, xMailer: false },
    });
    // A server that trickles its replies never runs into a socket timeout. Closing the connections ends the batch.
    const limit = setTimeout(() => transport.close({ force: true }), limitMs);
    try {
      return await Promise.all(
        letters.map(async ({ messageId, to, date, subject, text, html, fromName, attached }): Promise<Sent> => {
          try {
            await transport.sendMail({
              from: fromName === undefined ? from : { ...from, name: fromName },
              // As an object, so that it is never parsed as a list.
              to: { name: '', address: to },
              ...{ subject, text, date },
              ...(html !== undefined && { html }),
              ...(attached && { attachments: attached.map(asAttachment) }),
              messageId: `<${messageId}@${domain}>`,
              textEncoding: 'quoted-printable',
              headers: { 'Auto-Submitted': 'auto-generated' },
              xMailer: false,
            });
            return { sent: true };
          } catch (error) {
            return failure(error as SmtpError);
          }
        }),
      );
    } finally {
      clearTimeout(limit);
      transport.close();
    }
  };
}

const asAttachment = ({ cid, name, type, bytes }: Attached) => ({
  filename: name,
  contentType: type,
  content: Buffer.from(bytes),
  ...(cid !== undefined && { cid, contentDisposition: 'inline' as const }),
});

interface SmtpError extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** About the session, not the mail: a wrong order of commands, or a missing or wrong password. The operator can put it right. */
const OF_THE_SESSION = [503, 530, 534, 535, 538];

function failure({ code = '', command = '', responseCode, response, message }: SmtpError): Sent {
  const aboutMail = command === 'RCPT TO' || command === 'DATA';
  const refused = responseCode !== undefined && responseCode >= 500 && !OF_THE_SESSION.includes(responseCode);
  return {
    sent: false,
    permanent: (aboutMail && refused) || (code === 'EENVELOPE' && responseCode === undefined),
    reason: [code, command, responseCode ?? ''].join(' ').trim() || 'unknown',
    error: storable(response ?? message),
  };
}

/** PostgreSQL stores no NUL, and a server may quote the mail it rejects. */
const storable = (text: string): string =>
  redact(text.replaceAll('\0', '').replace(/\s+/g, ' ').trim()).slice(0, MAX_ERROR_LENGTH) || 'no reason given';
