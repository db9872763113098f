import { createHash, timingSafeEqual } from 'node:crypto';
import express, { type Express, type RequestHandler } from 'express';
import type { BullBoard, BullBoardOptions } from './bull-board.ts';
import { createGuessLimit } from './guess-limit.ts';

export type QueueBoardOptions = BullBoardOptions & {
  user: string;
  /** Without a password, every request is refused. */
  password: string | undefined;
  clock: { monotonicMs: () => number };
};

/**
 * Serves Bull Board behind a Basic login, read-only by default. Jobs hold ids only. An address has 10 wrong guesses in
 * 15 minutes. The page loads nothing from elsewhere, and no page may frame it.
 */
export function createQueueBoard(options: QueueBoardOptions): { app: Express; close: () => Promise<void> } {
  // Loaded at the first login: Bull Board's libraries are a fifth of the code that a dispatcher would load.
  let opened: Promise<BullBoard> | undefined;
  const showBoard: RequestHandler = async (request, response, next) => {
    opened ??= import('./bull-board.ts').then(({ openBullBoard }) => openBullBoard(options));
    (await opened).app(request, response, next);
  };
  const app = express();
  app.disable('x-powered-by');
  app.use(setSecurityHeaders, requireLogin(options), showBoard);
  return { app, close: async () => (await opened)?.close() };
}

/** Allows only the board's own files. Its page and its components have inline styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const setSecurityHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
  });
  next();
};

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
