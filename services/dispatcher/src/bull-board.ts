import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { toId } from '@posthorn/contract/ids';
import { openProducerConnection, type QueueOptions } from '@posthorn/queue/connection';
import type { DeliverJob } from '@posthorn/queue/jobs';
import { deliverQueues, prefixOf, queueNames } from '@posthorn/queue/queues';
import { Queue } from 'bullmq';
import express, { type Express, type RequestHandler } from 'express';
import { createGuessLimit } from './guess-limit.ts';

export type BullBoardOptions = QueueOptions & {
  /** The number of queues of deliver jobs; 1 by default. */
  shards?: number;
  user: string;
  /** Without a password every request is refused. */
  password: string | undefined;
  /** Whether the board may retry, promote and remove jobs. */
  write: boolean;
  /** The address of the dashboard, to which a job of a delivery links; undefined when it is not known. */
  dashboardUrl: string | undefined;
  clock: { monotonicMs: () => number };
};

/**
 * The board over the queues, behind Basic login; read-only by default. Jobs hold ids only. An address has 10 wrong
 * guesses in 15 minutes. The page loads nothing from elsewhere, and no page may frame it.
 */
export function createBullBoardApp(options: BullBoardOptions): { app: Express; close: () => Promise<void> } {
  const connection = openProducerConnection(options);
  const { prefix, shards = 1 } = options;
  const queues = queueNames(shards).map((name) => {
    const queue = new Queue(name, { connection, prefix: prefixOf(name, prefix, connection), skipVersionCheck: true });
    queue.on('error', options.onError);
    return queue;
  });
  const serverAdapter = new ExpressAdapter();
  createBullBoard({
    queues: queues.map(
      (queue) =>
        new BullMQAdapter(queue, {
          readOnlyMode: !options.write,
          ...(deliverQueues(shards).includes(queue.name) && linkToDelivery(options.dashboardUrl)),
        }),
    ),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Posthorn' } },
  });
  const board: Express = serverAdapter.getRouter();
  const app = express();
  for (const one of [app, board]) one.disable('x-powered-by');
  app.use(setSecurityHeaders, requireLogin(options), renderWithoutOutsideRequests, board);
  return {
    app,
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

/** Adds to each job the way to its delivery in the dashboard, whose address may not be known. */
function linkToDelivery(dashboardUrl: string | undefined) {
  if (dashboardUrl === undefined) return {};
  const externalJobUrl = ({ data }: { data: DeliverJob }) => {
    const path = `/w/${toId('ws', data.workspaceId)}/~/${toId('dlv', data.deliveryId)}`;
    return { displayText: 'Delivery', href: new URL(path, dashboardUrl).href };
  };
  return { externalJobUrl };
}

/** The board's own files only. Its page and its components have inline styles. */
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

/** Bull Board's page asks Google for its fonts. Without that line it uses the system's. */
const renderWithoutOutsideRequests: RequestHandler = (_request, response, next) => {
  response.render = (view: string, options?: unknown) => {
    const parameters = typeof options === 'object' && options !== null ? options : {};
    response.app.render(view, parameters, (error, html) => {
      if (error) return next(error);
      const lines = html.split('\n').filter((line) => !line.trimStart().startsWith('<link href="https://'));
      response.type('html').send(lines.join('\n'));
    });
  };
  next();
};

function requireLogin({ user, password, clock }: BullBoardOptions): RequestHandler {
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
