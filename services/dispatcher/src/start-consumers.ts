import type { TokenRequestResult } from '@posthorn/destinations/kind';
import { openDestinations } from '@posthorn/destinations/open-destinations';
import type { NewDelivery } from '@posthorn/ledger/create';
import { createEndpointCache } from '@posthorn/messages/endpoint-cache';
import type { DeliverJob, FanOutJob, FanOutRequest, HandOverJob } from '@posthorn/queue/jobs';
import type { HandOff } from '@posthorn/queue/producer';
import type { HandOverConsumerOptions } from '@posthorn/queue/queues';
import { shardOf, shareOfShard } from '@posthorn/queue/shards';
import { createRoutes } from '@posthorn/routing/routes';
import { errorFields } from '@posthorn/runtime/logger';
import { watchTransformations } from '@posthorn/runtime/process-metrics';
import { openTransformer } from '@posthorn/transform/open-transformer';
import { applyOwnLimits, type OwnLimitsDeps } from './admission/admit.ts';
import { startCatchUp } from './admission/catch-up.ts';
import { type Lines, startLines } from './admission/lines.ts';
import { createOwners } from './admission/owners.ts';
import { findRecentlyFailing } from './admission/recently-failing.ts';
import { createSlots } from './admission/slots.ts';
import type { Config } from './config.ts';
import { createEnqueue } from './deliver/enqueue.ts';
import { createFollowHead } from './deliver/follow-head.ts';
import { openDeliver } from './deliver/open-deliver.ts';
import { createAttemptTraces } from './deliver/tracing.ts';
import { egressOf } from './egress.ts';
import { createFanOut } from './fan-out/fan-out.ts';
import { createImmediateAttempts } from './fan-out/immediate-attempts.ts';
import { createTracedFanOut } from './fan-out/tracing.ts';
import type { FanOutDeps } from './fan-out/write-deliveries.ts';
import type { Foundations } from './foundations.ts';
import { createHandOff, watchPause } from './hand-over/hand-off-by-call.ts';
import { createTakeHandedOver } from './hand-over/take-handed-over.ts';
import { openProbes } from './probe/open-probes.ts';
import { consumeFormerShards } from './recovery/former-shards.ts';
import { createReplaceableConsumer, stopConsumers } from './recovery/replaceable-consumer.ts';
import { type Progress, startWatchdogs } from './recovery/start-watchdogs.ts';
import { workWithoutRedis } from './recovery/without-redis.ts';
import { type WorkOnRows, workOnRows } from './recovery/work-on-rows.ts';

/** Two batches run at a time, in addition to two batches of floods. The other jobs wait to be batched. */
const FAN_OUT_CONCURRENCY = 16;
/** The number of jobs at a time. A job ends when its attempts begin. Until then it waits for slots and a statement. */
const HAND_OVER_CONCURRENCY = 4;

/**
 * Takes the jobs of every queue until the lifecycle stops. Running jobs then have the drain window to end. Returns how
 * an API in the same process hands deliveries over.
 */
export async function startConsumers(config: Config, foundations: Foundations): Promise<HandOff> {
  const { stores, time, report, lifecycle, watch, lowWaterMark } = foundations;
  const { db, producer, live, queues } = stores;
  const { clock, random, timing } = time;
  const { quiet, logger, metrics, tracing } = report;
  const { DELIVERY_CONCURRENCY: slotCount, SEALING_KEYS: keys } = config;
  const { shards } = queues;
  const owners = createOwners();
  const recentlyFailing = await findRecentlyFailing(db);
  const slots = createSlots({ slots: slotCount, clock, random, ownerOf: owners.of, recentlyFailing });
  const progress: Progress = { handOver: 0, fanOut: 0, deliver: Array.from({ length: shards }, () => 0) };
  const onAnswer = (endpointId: string) => {
    const shard = shardOf(endpointId, shards);
    progress.deliver[shard] = (progress.deliver[shard] ?? 0) + 1;
  };
  const onTokenRequest = (result: TokenRequestResult) => metrics.tokenRequests.inc({ result });
  const egress = { ...egressOf(config, { clock, lifecycle }), onTokenRequest };
  const shutdown = { draining: false };
  const sender = openDestinations(egress);
  lifecycle.onStop('sender', () => sender.close());
  const transformer = openTransformer(watchTransformations(metrics.registry));
  lifecycle.onStop('transformations', () => transformer.close());
  const enqueue = createEnqueue(producer, quiet);
  const { outage } = stores;
  const catchUp = startCatchUp({ db, factor: config.CATCH_UP_FACTOR, outage, producer, logger, quiet });
  lifecycle.onStop('catching up', () => catchUp.stop());
  const endpoints = catchUp.pace(createEndpointCache(db, keys, clock, owners));
  const jobsOfShard = shareOfShard(slotCount, shards);
  let lines: Lines | undefined;
  const hurryLine = (endpointId: string) => lines?.hurry(endpointId);
  const pauseLine = (endpointId: string, forMs: number) => lines?.pause(endpointId, forMs);
  const defaultTimeoutSeconds = config.DELIVERY_TIMEOUT_SECONDS;
  const limits: OwnLimitsDeps = { throttle: stores.throttle, clock, hurryLine, defaultTimeoutSeconds };
  const parts = {
    slots,
    owners,
    sender,
    enqueue,
    endpoints,
    hurryLine,
    pauseLine,
    startTrace: createAttemptTraces(tracing),
    transformer,
    shutdown,
  };
  const deliver = openDeliver(config, {
    ...foundations,
    ...parts,
    followHead: (order) => followHead(order),
    onAnswer,
    jobsOfShard,
  });
  lines = startLines({ ...parts, ...limits, db, deliver, catchUp, watch, logger: quiet });
  const immediate = createImmediateAttempts({
    ...parts,
    applyOwnLimits: (delivery, own) => applyOwnLimits(limits, delivery, own),
    deliver,
    clock,
    logger: quiet,
    metrics,
    slotCount,
  });
  const followHead = createFollowHead({ db, take: immediate.take, hurryLine, live, logger: quiet });
  let onRows: WorkOnRows | undefined;
  const enqueueFanOut = async (events: FanOutRequest[]) =>
    onRows === undefined ? producer.enqueueFanOut(events) : onRows.fanOutAgain(events);
  const fanOut = createFanOutHandler(config, foundations, {
    ...{ enqueue, immediate, ownerOf: owners.of, enqueueFanOut, progress },
  });
  const takeHandedOver = createTakeHandedOver({ db, immediate, defer: deliver.defer, enqueue, live, clock });
  const handOver = async (job: HandOverJob) => {
    metrics.jobsReceived.inc({ queue: 'hand-over' });
    await takeHandedOver(job);
    progress.handOver += 1;
  };
  const consumers = openConsumers(foundations, {
    ...{ handOver, fanOut, deliver: deliver.process, jobsOfShard },
    slowEndpoints: slots.slow,
    room: immediate.room,
    slotCount,
  });
  const ofRows = { ...{ db, clock, fanOut, slotCount, logger: quiet }, deliver: deliver.process };
  const { rows } = queues;
  onRows = rows && lowWaterMark && workOnRows({ ...ofRows, rows, watch, lowWaterMark, producer });
  const withoutJobs = onRows ?? workWithoutRedis({ ...ofRows, producer });
  const settings = {
    timeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
    retentionDays: config.RETENTION_DAYS,
    maxPayloadBytes: config.MAX_PAYLOAD_BYTES,
  };
  const probes = openProbes({
    queues,
    db,
    keys,
    endpoints,
    transformer,
    egress,
    live,
    stats: report.stats,
    quiet,
    logger,
    metrics,
    settings,
  });
  // An API in this process ends its requests first, and may have no other dispatcher. So their tests are taken until then.
  let endRequests = () => {};
  const requestsEnded = new Promise<void>((resolve) => {
    endRequests = resolve;
  });
  const probesOfRequests = { drain: () => requestsEnded.then(probes.drain), close: probes.close };
  const drain = async () => {
    shutdown.draining = true;
    await lines?.stop();
    const taking = [consumers.handOver, consumers.fanOut, ...consumers.deliver, consumers.formerShards, withoutJobs];
    await stopConsumers([...taking, probesOfRequests], {
      async thenDrain() {
        await Promise.all([immediate.drain(), lines?.drain()]);
      },
      drainWindowMs: timing.drainWindowMs,
      abortWindowMs: timing.abortWindowMs,
      abort() {
        sender.abortAll();
        probes.abortAll();
      },
    });
  };
  // The attempts need the whole window, beside an API that ends its requests, too.
  lifecycle.onStop('consumers', drain, { atOnce: true });
  const watched = { consumers, progress, isFull: slots.isFull, shutdown, lifecycle };
  const giveUp = () => lifecycle.giveUp('watchdog');
  startWatchdogs({ databaseUrl: config.DATABASE_URL, producer, clock, timing, logger, ...watched, giveUp });
  const handOff = createHandOff({
    producer,
    isPaused:
      rows === undefined
        ? watchPause({ read: () => producer.isPaused('handOver'), lifecycle, quiet })
        : () => rows.isPaused('deliver'),
    take: takeHandedOver,
    room: immediate.room,
    freed: slots.freed,
    slotCount,
    slowEndpoints: slots.slow,
    clock,
    quiet,
  });
  // Registered last, so that its turn comes as soon as an API in this process has stopped: at once, if there is none.
  lifecycle.onStop('tests of requests', endRequests);
  return handOff;
}

type Handlers = {
  handOver: (job: HandOverJob) => Promise<void>;
  fanOut: (job: FanOutJob) => Promise<void>;
  deliver: (job: DeliverJob) => Promise<void>;
  jobsOfShard: number;
} & Pick<HandOverConsumerOptions, 'slowEndpoints' | 'room' | 'slotCount'>;

/** Opens a consumer for each queue and shard, and for former shards that still have jobs. */
function openConsumers(
  { stores, time, report }: Foundations,
  { handOver, fanOut, deliver, jobsOfShard, ...ofHandOver }: Handlers,
) {
  const { producer, queues } = stores;
  const { quiet } = report;
  const onJobError = (error: Error) =>
    quiet.warn('a job failed; the reconciler will enqueue it again', errorFields(error));
  const common = { onJobError, takeOver: time.timing.takeOver };
  const consumeShard = (shard: number) =>
    queues.consumeDeliver({ ...common, shard, concurrency: jobsOfShard, handle: deliver });
  return {
    handOver: createReplaceableConsumer(() =>
      queues.consumeHandOver({ ...common, concurrency: HAND_OVER_CONCURRENCY, handle: handOver, ...ofHandOver }),
    ),
    fanOut: createReplaceableConsumer(() =>
      queues.consumeFanOut({ ...common, concurrency: FAN_OUT_CONCURRENCY, handle: fanOut }),
    ),
    deliver: Array.from({ length: queues.shards }, (_, shard) => createReplaceableConsumer(() => consumeShard(shard))),
    formerShards: consumeFormerShards({
      producer,
      consume: consumeShard,
      onError: (error) => quiet.warn('jobs of former shards could not be found', errorFields(error)),
    }),
  };
}

function createFanOutHandler(
  config: Config,
  { stores, time, report }: Foundations,
  {
    progress,
    ...parts
  }: Pick<FanOutDeps, 'enqueue' | 'immediate' | 'ownerOf' | 'enqueueFanOut'> & { progress: Progress },
): (job: FanOutJob) => Promise<void> {
  const { db, live, pullWaker } = stores;
  const { quiet, metrics, tracing } = report;
  const deps = {
    ...parts,
    db,
    keys: config.SEALING_KEYS,
    routes: createRoutes(db),
    onCreated(deliveries: readonly NewDelivery[]) {
      metrics.deliveriesCreated.inc(deliveries.length);
      for (const delivery of deliveries) live.deliveryChanged(delivery);
    },
    wakeConsumers: pullWaker.wake,
    clock: time.clock,
    logger: quiet,
    defaultTimeoutSeconds: config.DELIVERY_TIMEOUT_SECONDS,
  };
  const fanOut = tracing === undefined ? createFanOut(deps) : createTracedFanOut(deps, tracing);
  return async (job) => {
    metrics.jobsReceived.inc({ queue: 'fan-out' });
    await fanOut(job);
    progress.fanOut += 1;
  };
}
