import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerSession } from 'smtp-server';

/** A mail as it arrived, with its parts decoded. */
export type ArrivedMail = {
  from: string;
  to: string[];
  subject: string;
  text: string;
  html: string;
  messageId: string;
  headers: ReadonlyMap<string, string>;
  isEncrypted: boolean;
  /** The name that the client gave with EHLO. */
  clientName: string;
  user: string | undefined;
};

export type MailServerOptions = {
  /** Requires this certificate for TLS from the first byte or STARTTLS. Without it, plain text. */
  tls?: { key: string; cert: string; isImplicit: boolean };
  /** The login that a sender needs. */
  login?: { user: string; password: string };
  /** The SMTP status with which the server refuses a recipient; undefined accepts the mail. */
  refuses?: (address: string) => number | undefined;
  port?: number;
};

export type MailServer = {
  port: number;
  /** All mails so far, the oldest first. */
  mails: ArrivedMail[];
  close: () => Promise<void>;
};

/** A real mail server on 127.0.0.1 that keeps the mails it gets in memory. */
export async function startMailServer(
  { tls, login, refuses, port = 0 }: MailServerOptions = {},
  onMail: (mail: ArrivedMail) => void = () => {},
): Promise<MailServer> {
  const mails: ArrivedMail[] = [];
  const server = new SMTPServer({
    ...(tls && { key: tls.key, cert: tls.cert, secure: tls.isImplicit }),
    ...(!tls && { hideSTARTTLS: true }),
    disabledCommands: login === undefined ? ['AUTH'] : [],
    authOptional: login === undefined,
    allowInsecureAuth: tls === undefined,
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) return done(null, { user: username });
      return done(withStatus('Wrong user or password', 535));
    },
    onRcptTo({ address }, _session, done) {
      const status = refuses?.(address);
      done(status === undefined ? null : withStatus('Not now, or never', status));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        read(Buffer.concat(chunks), session).then((mail) => {
          mails.push(mail);
          onMail(mail);
          done(null);
        }, done);
      });
    },
  });
  // A client may end its connection early. That is not a failure of the server.
  server.on('error', () => {});
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function withStatus(message: string, responseCode: number): Error {
  return Object.assign(new Error(message), { responseCode });
}

async function read(raw: Buffer, session: SMTPServerSession): Promise<ArrivedMail> {
  const parsed = await PostalMime.parse(raw);
  const { mailFrom, rcptTo } = session.envelope;
  return {
    from: mailFrom === false ? '' : mailFrom.address,
    to: rcptTo.map(({ address }) => address),
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? '',
    messageId: parsed.messageId ?? '',
    headers: new Map(parsed.headers.map(({ key, value }) => [key, value])),
    isEncrypted: session.secure,
    clientName: String(session.hostNameAppearsAs),
    user: typeof session.user === 'string' ? session.user : undefined,
  };
}
