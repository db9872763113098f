import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toId } from '@posthorn/contract/ids';
import { createApiClient } from '@posthorn/testkit/api-client';
import { migrateTest, onServer, openDatabase } from '@posthorn/testkit/database';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { copyServer, signalRecovery } from '@posthorn/testkit/postgres-backup';
import { findPostgres, giveTo, type PostgresServer, startPostgres } from '@posthorn/testkit/postgres-server';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';

// Follows the drill in docs/runbook.md, Restore from a backup: a base backup and the archived WAL up to a moment.

const programs = await findPostgres();
const testWithServers = programs === undefined ? test.skip : test;
const EVENTS = 20;
const servers: PostgresServer[] = [];
const stacks: Stack[] = [];
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.stop()));
  await Promise.all(servers.map((server) => server.remove()));
  await receiver.close();
}, 60_000);

/** The keys are not part of a backup. Both installations get them from elsewhere. */
const keys = {
  SEALING_KEYS: `kept:${randomBytes(32).toString('base64')}`,
  CURSOR_KEYS: `kept:${randomBytes(32).toString('base64')}`,
};

async function startOn(server: PostgresServer): Promise<Stack> {
  const settings = { ...keys, RETRY_SCHEDULE: '3600', SWEEP_INTERVAL_MS: '500' };
  // The stack has a new Redis prefix, so its queues are empty.
  const stack = await startStack({ database: openDatabase(server.url), settings });
  stacks.push(stack);
  return stack;
}

const idOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['webhook-id']);
const receivedBy = (path: string) => new Set(receiver.requests.filter(({ url }) => url === path).map(idOf));

testWithServers(
  'restored to a moment with an empty Redis: what was accepted before it is delivered, what was settled before it is not delivered again',
  async () => {
    if (programs === undefined) return;
    const archiving = {
      archive_mode: 'on',
      archive_command: 'cp %p ../archive/%f.new && mv ../archive/%f.new ../archive/%f',
    };
    const primary = await startPostgres(programs, archiving);
    servers.push(primary);
    const archive = join(primary.data, '../archive');
    mkdirSync(archive);
    giveTo(programs, archive);
    await migrateTest(primary.url);
    const stack = await startOn(primary);
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    let recovered = false;
    receiver.respondWith(({ url }) => (url === '/failing' && !recovered ? { status: 500 } : {}));
    for (const name of ['works', 'failing']) {
      await client.subscribeEndpoint({ url: new URL(`/${name}`, receiver.url).href, eventType: `restore.${name}` });
    }
    const ingest = createIngest(stack);
    const accept = async (name: 'works' | 'failing', count = EVENTS) => {
      const answers = await Promise.all(Array.from({ length: count }, () => ingest(`event/restore.${name}`, '{}')));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
      return answers.map(({ body }) => String(body.id));
    };
    const before = await accept('works');
    const [backup, during] = await Promise.all([
      copyServer(primary, {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_action: 'promote',
      }),
      accept('works'),
    ]);
    servers.push(backup);
    const failing = await accept('failing');
    const delivered = () => stack.db.delivery.count({ where: { status: 'delivered' } });
    const retried = () => stack.db.delivery.count({ where: { status: 'scheduled_retry' } });
    const isSettled = async () => (await delivered()) === 2 * EVENTS && (await retried()) === EVENTS;
    await waitFor(isSettled, { what: 'the deliveries to be settled', timeoutMs: 30_000 });
    await stack.dispatchers[0]?.end('SIGTERM');
    const waiting = await accept('works');
    const [row] = await onServer(primary.url, 'select clock_timestamp()::text as moment');
    const moment = String(row?.moment);
    const late = await accept('works', 3);
    await stack.startDispatcher();
    await waitFor(() => late.every((id) => receivedBy('/works').has(id)), { what: 'the late events to be delivered' });
    const [last] = await onServer(primary.url, 'select pg_walfile_name(pg_switch_wal()) as segment');
    await waitFor(() => existsSync(join(archive, String(last?.segment))), { what: 'the WAL to be archived' });
    await Promise.all([stack.api, ...stack.dispatchers].map((process) => process.end('SIGKILL')));
    await primary.kill();

    await signalRecovery(backup, 'recovery');
    await backup.start({ recovery_target_time: moment });
    const promoted = async () => (await onServer(backup.url, 'select pg_is_in_recovery() as is'))[0]?.is === false;
    await waitFor(promoted, { what: 'the restored Postgres to accept writes', timeoutMs: 60_000 });
    // The retries would be due in an hour, and are made due now.
    await onServer(backup.url, `update delivery set due_at = now() where status = 'scheduled_retry'`);
    receiver.requests.length = 0;
    recovered = true;
    const restored = await startOn(backup);
    const wanted = [...failing, ...waiting];
    const isDone = () => wanted.every((id) => receivedBy('/works').has(id) || receivedBy('/failing').has(id));
    await waitFor(isDone, { what: 'the open deliveries', timeoutMs: 30_000 });
    const open = () => restored.db.delivery.count({ where: { dueAt: { not: null } } });
    await waitFor(async () => (await open()) === 0, { what: 'no open delivery' });
    const received = receiver.requests.map(idOf);
    expect([...received].sort()).toEqual([...wanted].sort());
    const kept = await restored.db.event.findMany({ select: { id: true } });
    const accepted = [...before, ...during, ...failing, ...waiting];
    expect(kept.map(({ id }) => toId('msg', id)).sort()).toEqual(accepted.sort());
    expect(await restored.db.delivery.count({ where: { status: 'delivered' } })).toBe(accepted.length);
  },
  240_000,
);
