import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import type { SourceConfig } from '@posthorn/contract/sources';
import { loadReader } from '@posthorn/destinations/source-kind';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import type { RecordBatch } from '@posthorn/ingest/accept-records';
import { systemClock } from '@posthorn/runtime/clock';
import { createGate } from '@posthorn/runtime/gate';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { batchOf, FETCH, fetchAnswer, recordOf, serveKafka } from '@posthorn/testkit/hostile-kafka';
import { readSource, type SourceReport } from './read-source.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const config = { topics: ['events'], start: 'earliest', eventType: { fixed: 'a.b' } } as unknown as SourceConfig;

test('a batch that cannot be read holds up its partition alone, which is tried again ever less often', async () => {
  const { workspaceId, environmentId } = await insertEndpoint(db);
  const [id, now] = [newUuid(new Date()), new Date()];
  const times = { createdAt: now, updatedAt: now };
  await db.source.create({
    data: { id, workspaceId, environmentId, name: 'Orders', type: 'kafka', config: {}, ...times },
  });
  const [tooOld, good] = [batchOf(recordOf(0, 0, -1, -1, 0), { magic: 1 }), batchOf(recordOf(0, 0, -1, -1, 0))];
  const { port, close } = await serveKafka({
    partitions: 2,
    answers: { [FETCH]: () => fetchAnswer(tooOld, good) },
  });
  const settings = { brokers: [`127.0.0.1:${port}`], tls: false, saslMechanism: 'none' as const };
  const rules = parseAllowedCidrs('127.0.0.0/8');
  const openReader = await loadReader();
  let nowMs = 0;
  const triedAtMs: number[] = [];
  const accepted: RecordBatch[] = [];
  const found: SourceReport = { status: 'starting', error: null, lagRecords: null, lastRecordAt: null, rejected: 0 };
  const stopping = new AbortController();
  await readSource(
    {
      db,
      open() {
        const given = { settings, credentials: {}, topics: ['events'], rules, allowPlaintext: true };
        const reader = openReader({ ...given, clock: systemClock });
        return {
          ...reader,
          fetch(places) {
            if (places.some(({ partition }) => partition === 0)) triedAtMs.push(nowMs);
            return reader.fetch(places);
          },
        };
      },
      async accept(batch) {
        accepted.push(batch);
        return { kind: 'moved', next: batch.to, rejected: 0, waiting: 0 };
      },
      turns: createGate({ atOnce: 1, refusal: () => new Error('refused') }),
      maxPayloadBytes: 1_000,
      async wait(ms) {
        nowMs += ms;
        if (nowMs > 40_000) stopping.abort();
        await turn();
      },
      clock: { now: () => new Date(), monotonicMs: () => nowMs },
      onFault: (_source, error) => {
        throw error;
      },
    },
    {
      ...{ id, revision: randomUUID(), config, credentials: {}, lastRecordAt: null },
      holder: { environmentId, workspaceId, ownerId: workspaceId, requireApplication: false, limits: NO_LIMITS },
    },
    { report: found, brake: { holds: () => false, count: () => undefined }, signal: stopping.signal },
  ).finally(close);
  expect(accepted.map(({ partition, from, to }) => [partition, from, to])).toEqual([[1, 0n, 1n]]);
  const error = expect.stringMatching(/^events\/0\/0: .*before Kafka 0.11/);
  expect(found).toMatchObject({ status: 'failing', error });
  const pauses = triedAtMs.map((atMs, index) => atMs - (triedAtMs[index - 1] ?? 0));
  expect(pauses.map((ms) => Math.round(ms / 1_000))).toEqual([0, 1, 2, 4, 8, 16]);
});

const NO_LIMITS = { eventsPerDay: null, bytesKept: null, attemptBytesKept: null };
