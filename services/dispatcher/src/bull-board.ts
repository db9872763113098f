import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { toId } from '@posthorn/contract/ids';
import type { DeliverJob } from '@posthorn/queue/jobs';
import type { RedisSettings } from '@posthorn/queue/queues';
import { openProducerConnection, queueOptions } from '@posthorn/queue/redis/connection';
import { deliverQueues, prefixOf, queueNames } from '@posthorn/queue/redis/queues';
import { Queue } from 'bullmq';
import express, { type Express, type RequestHandler } from 'express';
import type { Board } from './queue-board.ts';

export type BullBoardOptions = {
  settings: RedisSettings;
  /** Called for every connection error. */
  onError: (error: Error) => void;
  /** Whether users of the board may retry, promote and remove jobs. */
  write: boolean;
  /** The dashboard's address, to which a delivery's job links; undefined if it is not known. */
  dashboardUrl: string | undefined;
};

/** Bull Board with its own connection, and without a login. */
export function openBullBoard(options: BullBoardOptions): Board {
  const { settings, onError } = options;
  const { DELIVER_QUEUE_SHARDS: shards, QUEUE_PREFIX: prefix } = settings;
  const connection = openProducerConnection(queueOptions(settings, onError));
  const queues = queueNames(shards).map((name) => {
    const queue = new Queue(name, { connection, prefix: prefixOf(name, prefix, connection), skipVersionCheck: true });
    queue.on('error', onError);
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
  app.use(renderWithoutOutsideRequests, board);
  return {
    app,
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

/** Adds a link from each job to its delivery in the dashboard, if the dashboard's address is known. */
function linkToDelivery(dashboardUrl: string | undefined) {
  if (dashboardUrl === undefined) return {};
  const externalJobUrl = ({ data }: { data: DeliverJob }) => {
    const path = `/w/${toId('ws', data.workspaceId)}/~/${toId('dlv', data.deliveryId)}`;
    return { displayText: 'Delivery', href: new URL(path, dashboardUrl).href };
  };
  return { externalJobUrl };
}

/** Removes the line in which Bull Board's page loads fonts from Google. The page then uses the system's fonts. */
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
