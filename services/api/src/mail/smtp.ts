import type { Mail } from '@posthorn/mail/outgoing-mail';
import { resultWithin } from '@posthorn/runtime/deadline';
import { createTransport } from 'nodemailer';
import type { Sender, SmtpServer } from './smtp-settings.ts';

export type SmtpOptions = { server: SmtpServer; sender: Sender; ehloName: string; ca: string | undefined };

/** The result of one attempt to send a mail. `reason` repeats nothing of the mail and no address. */
export type SendOutcome =
  | { kind: 'sent' }
  /** The server refuses this mail for good: nobody has the address, for example. */
  | { kind: 'refused'; reason: string }
  /** The server may take the mail later, or the fault is the installation's. */
  | { kind: 'later'; reason: string };

export type SendMail = (mail: Mail & { id: string; createdAt: Date }) => Promise<SendOutcome>;

const CONNECT_MS = 10_000;
const SILENCE_MS = 30_000;
/** A server that is never silent for long, and never ends, has this long for a mail. */
const SEND_MS = 120_000;

/** Sends mails, each by a connection of its own. It never throws. */
export function openSmtp({ server, sender, ehloName, ca }: SmtpOptions): SendMail {
  const transport = createTransport({
    name: ehloName,
    host: server.host,
    port: server.port,
    secure: server.isTls,
    requireTLS: server.mustUpgrade,
    ...(server.login && { auth: { user: server.login.user, pass: server.login.password } }),
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
    // Texts are never taken for paths or addresses to read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ id, createdAt, to, subject, text, html, stopUrl }) => {
    try {
      const sent = transport.sendMail({
        from: sender,
        to: { name: '', address: to },
        subject,
        text,
        html,
        date: createdAt,
        // The same at every attempt, so that a mail that arrives twice can be recognised.
        messageId: `<${id}@${sender.address.slice(sender.address.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...stopHeaders(stopUrl) },
      });
      await resultWithin(sent, SEND_MS);
      return { kind: 'sent' };
    } catch (error) {
      return judgeFailure(error);
    }
  };
}

/** RFC 2369 and RFC 8058: mail programs offer to stop such mails, by one request without a login. */
function stopHeaders(stopUrl: string | undefined): Record<string, string> {
  if (stopUrl === undefined) return {};
  return { 'List-Unsubscribe': `<${stopUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}

/**
 * Only a 5xx about the recipient or the content refuses the mail itself. A wrong password, a refused sender, TLS or the
 * network concern every mail, and an operator may correct them within a day.
 */
function judgeFailure(error: unknown): SendOutcome {
  const status = numberOf(error, 'responseCode');
  const command = textOf(error, 'command');
  const reason = [textOf(error, 'code'), command, status].filter((part) => part !== undefined).join(' ') || 'unknown';
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  // 530 and 535 ask for another login.
  const isFinal = status !== undefined && status >= 500 && status !== 530 && status !== 535;
  return isAboutMail && isFinal ? { kind: 'refused', reason } : { kind: 'later', reason };
}

function textOf(error: unknown, name: string): string | undefined {
  const value: unknown = Reflect.get(Object(error), name);
  return typeof value === 'string' ? value : undefined;
}

function numberOf(error: unknown, name: string): number | undefined {
  const value: unknown = Reflect.get(Object(error), name);
  return typeof value === 'number' ? value : undefined;
}
