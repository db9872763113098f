import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { withConnection } from '@posthorn/db/connection';
import { systemClock } from '@posthorn/runtime/clock';
import { onServer } from '@posthorn/testkit/database';
import { findPostgres, type PostgresPrograms, startPostgres } from '@posthorn/testkit/postgres-server';
import { waitFor } from '@posthorn/testkit/wait-for';
import { openBus } from './bus.ts';

const programs = await findPostgres();
const setting = `select current_setting('max_notify_queue_pages', true) as pages`;
const [limit] = await onServer(process.env.TEST_DATABASE_URL ?? '', setting);

// The limit exists since PostgreSQL 17. Without it, the queue has 8 GB.
(programs === undefined || limit?.pages == null ? test.skip : test)(
  'a bus finds out that the queue of notifications is full, and sends and hears again once there is room',
  async () => {
    const server = await startPostgres(programs as PostgresPrograms, { max_notify_queue_pages: '64' });
    const open = () =>
      openBus({
        processId: randomUUID(),
        databaseUrl: server.url,
        monotonicMs: systemClock.monotonicMs,
        workers: () => 1,
        onError: () => {},
      });
    const [from, to] = [open(), open()];
    let heard = 0;
    to.on('due', () => {
      heard += 1;
    });
    const send = () => from.send(to.processId, 'due', Buffer.alloc(1));
    await waitFor(() => from.isUp() && to.isUp(), { what: 'both buses' });
    await withConnection(server.url, async (reader) => {
      // It listens, but reads nothing while its transaction is open.
      await reader.query('listen nobody_reads');
      await reader.query('begin');
      await reader.query('select 1');
      const isFull = () =>
        onServer(server.url, `select pg_notify('nobody_reads', repeat('x', 7900))`).then(
          () => false,
          () => true,
        );
      await waitFor(isFull, { what: 'the queue to be full' });
      send();
      await waitFor(() => !from.isUp() && from.figures().dropped > 0, { what: 'the bus to find out' });
      await reader.query('rollback');
    });
    await waitFor(() => from.isUp() && to.isUp(), { what: 'both buses', timeoutMs: 50_000 });
    send();
    await waitFor(() => heard === 1, { what: 'the message' });
    expect(heard).toBe(1);
    await Promise.all([from.close(), to.close()]);
    await server.remove();
  },
  120_000,
);
