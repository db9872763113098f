import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import { createGuessLimit } from './guess-limit.ts';

export type Board = { app: Express; close: () => Promise<void> };

export type QueueBoardOptions = {
  /**
   * Opens the board behind the login. It is opened on the first login, because most processes are never asked for it.
   */
  open: () => Promise<Board>;
  /** Bull Board needs its scripts, and inline styles. Our own page needs neither, but has a form. */
  kind: keyof typeof POLICIES;
  user: string;
  /** Without a password, every request is refused. */
  password: string | undefined;
  clock: { monotonicMs: () => number };
};

/**
 * Serves a board of the queues behind a Basic login. It shows only ids and names of workspaces. An address has 10 wrong
 * guesses in 15 minutes. The page loads nothing from elsewhere, and no page may frame it.
 */
export function createQueueBoard(options: QueueBoardOptions): Board {
  let opened: Promise<Board> | undefined;
  const showBoard: RequestHandler = async (request, response, next) => {
    opened ??= options.open();
    (await opened).app(request, response, next);
  };
  const app = express();
  app.disable('x-powered-by');
  app.use(setSecurityHeaders(options.kind), requireLogin(options), showBoard);
  return { app, close: async () => (await opened)?.close() };
}

/** Content security policies. Each allows only the board's own files. */
const POLICIES = {
  bullBoard: [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ],
  ownPage: [
    "default-src 'none'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ],
};

function setSecurityHeaders(kind: keyof typeof POLICIES): RequestHandler {
  return (_request, response, next) => {
    response.set({
      'X-Frame-Options': 'DENY',
      'Content-Security-Policy': POLICIES[kind].join('; '),
      'X-Content-Type-Options': 'nosniff',
      // Without a referrer, a form would look as if it came from another site.
      'Referrer-Policy': kind === 'ownPage' ? 'same-origin' : 'no-referrer',
    });
    next();
  };
}

function requireLogin({ user, password, clock }: QueueBoardOptions): RequestHandler {
  const expected = password === undefined ? undefined : digest(`${user}:${password}`);
  const limit = createGuessLimit(clock);
  return (request, response, next) => {
    const address = request.socket.remoteAddress ?? '';
    const waitMs = limit.waitMs(address);
    if (waitMs > 0) {
      response
        .status(429)
        .set('Retry-After', `${Math.ceil(waitMs / 1_000)}`)
        .type('text');
      return void response.send('Too many wrong passwords; try again later.');
    }
    const given = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1];
    const credentials = digest(Buffer.from(given ?? '', 'base64').toString('utf8'));
    if (expected !== undefined && given !== undefined) {
      if (timingSafeEqual(credentials, expected)) return next();
      limit.count(address);
    }
    const message = expected === undefined ? 'Set ADMIN_PASSWORD to open the queue board.' : 'Login required.';
    response
      .status(401)
      .set('WWW-Authenticate', 'Basic realm="Posthorn queues", charset="UTF-8"')
      .type('text')
      .send(message);
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
