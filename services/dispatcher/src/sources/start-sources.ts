import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createDb, type Db } from '@posthorn/db/client';
import { loadReader, type OpenReader } from '@posthorn/destinations/source-kind';
import { createAcceptRecords } from '@posthorn/ingest/accept-records';
import { createDestinations } from '@posthorn/ingest/destinations';
import { createIngestGates } from '@posthorn/ingest/gates';
import { createDoor } from '@posthorn/ingest/match-at-door';
import { createPayloadCheck, createSchemaReader } from '@posthorn/ingest/payload-check';
import { createSlowDelays } from '@posthorn/ingest/slow-endpoints';
import { startQuotas } from '@posthorn/ingest/start-quotas';
import { createStoreBatch } from '@posthorn/ingest/store-in-batches';
import { createGate } from '@posthorn/runtime/gate';
import { errorFields } from '@posthorn/runtime/logger';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import { createOpenSearchKey } from '@posthorn/search/tokens';
import type { Config } from '../config.ts';
import type { Foundations } from '../foundations.ts';
import type { DispatcherMetrics } from '../metrics.ts';
import { createBrake } from './brake.ts';
import { anySource, readHeld, release, renew, takeOne } from './leases.ts';
import { type ReadSourceDeps, readSource, type SourceReport, type SourceToRead } from './read-source.ts';

const ROUND_MS = 2_000;
/** While sources wait, so that reading begins soon, and several processes still take turns. */
const NEXT_ROUND_MS = 300;
const AFTER_ERROR_MS = 1_000;
/** The pause once a source was found, because nothing is left to find. */
const FOUND_MS = 60_000;

type Reading = { source: SourceToRead; report: SourceReport; stop: () => Promise<void> };

/** Reads sources: keeps the leases of this process, and a reader for each leased source. */
export function startSources(config: Config, foundations: Foundations): void {
  const { stores, report, lifecycle, watch, time } = foundations;
  const { db } = stores;
  const { clock } = time;
  const { quiet, logger, metrics } = report;
  const reader = randomUUID();
  const quotas = {
    eventsPerDay: config.QUOTA_EVENTS_PER_DAY,
    bytesKept: config.QUOTA_BYTES_KEPT,
    attemptBytesKept: config.QUOTA_ATTEMPT_BYTES_KEPT,
  };
  const readings = new Map<string, Reading>();
  const ending = new Set<Promise<void>>();
  const brake = createBrake();
  let following: (Repeating & { close(): Promise<void> }) | undefined;

  const begin = (deps: ReadSourceDeps, source: SourceToRead): Reading => {
    const stopping = new AbortController();
    const nothing = { lagRecords: null, lastRecordAt: source.lastRecordAt, rejected: 0 };
    const found: SourceReport = { status: 'starting', error: null, ...nothing };
    const done = readSource(deps, source, { report: found, brake, signal: stopping.signal });
    return {
      source,
      report: found,
      stop() {
        stopping.abort();
        return done;
      },
    };
  };

  const follow = async (deps: ReadSourceDeps) => {
    const written = [...readings.values()].map(({ source, report: found }) => ({ ...source, report: { ...found } }));
    for (const { id, error } of await renew(db, reader, written, clock.now())) {
      quiet.warn('the state of a source could not be stored', { sourceId: id, ...errorFields(error) });
    }
    for (const {
      id,
      report: { rejected },
    } of written) {
      metrics.sourceRejections.inc(rejected);
      const reading = readings.get(id);
      if (reading !== undefined) reading.report.rejected -= rejected;
    }
    const before = [...readings.values()].map(({ source }) => source);
    const hasTaken = await takeOne(db, reader, before);
    const held = new Map(
      (await readHeld(db, reader, { keys: config.SEALING_KEYS, quotas })).map((one) => [one.id, one]),
    );
    for (const [id, { source, stop }] of readings) {
      const now = held.get(id);
      if (now?.revision === source.revision) Object.assign(source.holder, now.holder);
      else {
        // Its broker may be slow, and the other sources do not wait for it. What it still brings, the rows refuse.
        const ended = stop().finally(() => ending.delete(ended));
        ending.add(ended);
        readings.delete(id);
      }
    }
    for (const [id, source] of held) if (!readings.has(id)) readings.set(id, begin(deps, source));
    await brake.look(db, [...new Set([...held.values()].map(({ holder }) => holder.workspaceId))]);
    measure(metrics, [...readings.values()]);
    return hasTaken ? NEXT_ROUND_MS : ROUND_MS;
  };

  const onError = (error: unknown) => quiet.warn('sources could not be looked after', errorFields(error));
  // Until there is a source, nothing else is loaded or opened, and there is no additional statement.
  const waiting = watch.repeat('sources', {
    async round() {
      // The work counts as due before the first look, so check for sources first.
      if (following === undefined && (await anySource(db))) {
        const { deps, close } = await openDeps(config, foundations);
        following = { close, ...repeat({ round: () => follow(deps), waitAfterErrorMs: AFTER_ERROR_MS, onError }) };
      }
      return following === undefined ? ROUND_MS : FOUND_MS;
    },
    waitAfterErrorMs: AFTER_ERROR_MS,
    onError,
  });
  lifecycle.onStop('sources', async () => {
    await waiting.stop();
    await following?.stop();
    await Promise.all([...ending, ...[...readings.values()].map(({ stop }) => stop())]);
    await following?.close();
    if (readings.size > 0) await release(db, reader);
    logger.info('sources stopped', { sources: readings.size });
  });
}

function measure({ sources, sourceLag }: DispatcherMetrics, readings: readonly Reading[]): void {
  sources.reset();
  for (const { report } of readings) sources.inc({ status: report.status });
  sourceLag.set(readings.reduce((sum, { report }) => sum + Number(report.lagRecords ?? 0n), 0));
}

/** A fetch brings up to 4 MiB. */
const FETCHES = { atOnce: 16, ofOwner: 5, waiting: 1_000 };
const CONNECTIONS = 2;
const DOOR_LOCK_MS = 250;

/** Called for the first source. */
async function openDeps(config: Config, { stores, time, report }: Foundations) {
  const openReader: OpenReader = await loadReader();
  const { db, producer, live, pullWaker } = stores;
  const { clock } = time;
  const { quiet, metrics, stats } = report;
  const doorDb: Db = createDb({
    databaseUrl: config.DATABASE_URL,
    maxConnections: CONNECTIONS,
    lockTimeoutMs: DOOR_LOCK_MS,
    keepPlans: true,
    unnamedStatements: !config.DATABASE_PREPARED_STATEMENTS,
    onIdleError: (error) => quiet.warn('an idle Postgres connection broke', errorFields(error)),
  });
  const quotas = startQuotas({
    ...{ db, clock, logger: quiet, retentionDays: config.RETENTION_DAYS },
    onRefused: (quota) => metrics.quotaRefusals.inc({ quota }),
  });
  const door = createDoor({ db, takers: producer.takers, clock });
  const gates = createIngestGates();
  const accept = createAcceptRecords({
    destinations: createDestinations(db, clock),
    matchAtDoor: door.match,
    checkPayload: createPayloadCheck(createSchemaReader(db), gates),
    openSearchKey: createOpenSearchKey(config.SEALING_KEYS, report.logger),
    sealingKeys: config.SEALING_KEYS,
    ...{ clock, metrics, stats },
    takeRoom: quotas.take,
    store: createStoreBatch({
      ...{ db, doorDb, live, producer, door, quiet, metrics },
      wakeConsumers: pullWaker.wake,
      slowDelay: createSlowDelays(producer.slowMs, clock),
    }),
  });
  const deps: ReadSourceDeps = {
    db,
    accept,
    open: ({ config: settings, credentials }) =>
      openReader({
        ...{ settings, credentials, topics: settings.topics, clock },
        ...{ rules: config.EGRESS_ALLOW_CIDRS, allowPlaintext: config.EGRESS_ALLOW_PLAINTEXT },
      }),
    turns: createGate({
      atOnce: FETCHES.atOnce,
      most: { owner: FETCHES.ofOwner },
      waiting: FETCHES.waiting,
      refusal: () => new Error('too many sources wait for their turn'),
    }),
    maxPayloadBytes: config.MAX_PAYLOAD_BYTES,
    wait: waitFor,
    clock,
    onFault: ({ id }, error) => quiet.warn('a source could not be stored', { sourceId: id, ...errorFields(error) }),
  };
  return {
    deps,
    async close() {
      await quotas.stop();
      await doorDb.$disconnect();
    },
  };
}

/** Waits for this time. Ends early if the signal is aborted. */
const waitFor = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined);
