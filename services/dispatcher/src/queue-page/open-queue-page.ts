import type { Producer } from '@posthorn/queue/producer';
import { ROW_QUEUES } from '@posthorn/queue/rows';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import { isFromOwnPage } from '@posthorn/runtime/own-page';
import express, { type ErrorRequestHandler, type Response } from 'express';
import type { Board } from '../queue-board.ts';
import { faultPage, overviewPage, queuePage, STYLE } from './page.ts';
import { QUEUE_NAMES, type ReadDeps, readOverview, readQueue } from './read-queues.ts';

export type QueuePageOptions = ReadDeps & {
  producer: Pick<Producer, 'setPaused'>;
  clock: Pick<Clock, 'now'>;
  logger: Pick<Logger, 'info'>;
  /** For recurring errors. */
  quiet: Pick<Logger, 'warn'>;
  /** Whether users of the page may pause queues. */
  write: boolean;
  /** The dashboard's address, to which rows link; undefined if it is not known. */
  dashboardUrl: string | undefined;
};

/**
 * The queues of an installation whose queue is rows of Postgres, as pages without a script and without a login. A view
 * takes one connection, and concurrent requests for the same view share what it reads.
 */
export function openQueuePage(options: QueuePageOptions): Board {
  const { producer, clock, logger, quiet, write, dashboardUrl } = options;
  const app = express();
  app.disable('x-powered-by');
  const shown = () => ({ write, dashboardUrl, now: clock.now() });
  const underWay = new Map<string, Promise<string>>();
  const show = (path: string, read: () => Promise<string>) =>
    app.get(`/${path}`, async (_request, response) => {
      let page = underWay.get(path);
      if (page === undefined) {
        page = read().finally(() => underWay.delete(path));
        underWay.set(path, page);
      }
      send(response, await page);
    });
  app.get('/board.css', (_request, response) => void response.type('css').send(STYLE));
  show('', async () => overviewPage(await readOverview(options), shown()));
  for (const name of QUEUE_NAMES) show(name, async () => queuePage(name, await readQueue(options, name), shown()));
  for (const queue of ROW_QUEUES) {
    for (const action of ['pause', 'resume'] as const) {
      app.post(`/${action}-${queue}`, async (request, response) => {
        if (!write) return refuse(response, 'Set ADMIN_WRITE=true to pause queues here.');
        if (!isFromOwnPage(request.headers)) return refuse(response, 'A change must come from this page.');
        await producer.setPaused(queue, action === 'pause');
        logger.info('an operator changed a queue', { queue, action });
        response.redirect(303, queue);
      });
    }
  }
  const answerFault: ErrorRequestHandler = (error, _request, response, _next) => {
    quiet.warn('the queue page could not be read', errorFields(error));
    send(response.status(503), faultPage(shown()));
  };
  app.use(answerFault);
  return { app, close: async () => undefined };
}

function send(response: Response, page: string): void {
  response.set('Cache-Control', 'no-store').type('html').send(page);
}

function refuse(response: Response, reason: string): void {
  response.status(403).type('text').send(reason);
}
