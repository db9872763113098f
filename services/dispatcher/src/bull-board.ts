import { createHash, timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { openProducerConnection } from '@posthorn/queue/connection';
import { DELIVER_QUEUE } from '@posthorn/queue/deliver-job';
import { FAN_OUT_QUEUE } from '@posthorn/queue/fan-out-job';
import { Queue } from 'bullmq';
import express, { type Express, type RequestHandler } from 'express';

export type BullBoardOptions = {
  redisUrl: string;
  prefix: string;
  user: string;
  /** Without a password nobody gets in. */
  password: string | undefined;
  /** Whether the board may retry, promote and remove jobs. */
  write: boolean;
  onError: (error: Error) => void;
};

/** The board over both queues, behind Basic login; read-only unless told otherwise. Jobs hold ids only. */
export function createBullBoardApp(options: BullBoardOptions): { app: Express; close: () => Promise<void> } {
  const connection = openProducerConnection(options);
  const queues = [FAN_OUT_QUEUE, DELIVER_QUEUE].map((name) => {
    const queue = new Queue(name, { connection, prefix: options.prefix });
    queue.on('error', options.onError);
    return queue;
  });
  const serverAdapter = new ExpressAdapter();
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, { readOnlyMode: !options.write })),
    serverAdapter,
    options: { uiConfig: { boardTitle: 'Posthorn' } },
  });
  const app = express();
  app.disable('x-powered-by');
  app.use(requireLogin(options), serverAdapter.getRouter());
  return {
    app,
    async close() {
      await Promise.all(queues.map((queue) => queue.close()));
      connection.disconnect();
    },
  };
}

function requireLogin({ user, password }: BullBoardOptions): RequestHandler {
  const expected = password === undefined ? undefined : digest(`${user}:${password}`);
  return (request, response, next) => {
    const given = /^Basic ([A-Za-z0-9+/=]+)$/.exec(request.headers.authorization ?? '')?.[1];
    const credentials = digest(Buffer.from(given ?? '', 'base64').toString('utf8'));
    if (expected !== undefined && given !== undefined && timingSafeEqual(credentials, expected)) return next();
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
