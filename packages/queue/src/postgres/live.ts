import { randomUUID } from 'node:crypto';
import { createBatcher } from '@posthorn/runtime/batch';
import type { LivePublisher, LiveSubscriber, LiveSubscriberOptions } from '../live.ts';
import {
  BEAT_ROUNDS,
  createGathering,
  EVERY_MS,
  type Gathered,
  isEmpty,
  nothingGathered,
  STREAM_LEASE_MS,
  SWEEP_EVERY_MS,
} from '../live-batch.ts';
import { createBatchNumbers } from '../live-numbers.ts';
import { HELD } from './held.ts';
import { batchesOf, messagesOf, type NumberedBatch, partsOf } from './live-messages.ts';
import { placesOf, RENEW_EVERY_MS, subjectOf, untilHeard } from './places.ts';
import type { Shared } from './shared.ts';

/**
 * Sends changes over the bus to the processes that listen to their workspace. While the bus is down, changes are
 * neither sent nor kept, and afterwards every listened workspace hears that some were dropped. A workspace's batches
 * are numbered, so that a listener notices missing batches, and the end of a killed process.
 */
export function createLivePublisher({ bus, presence }: Pick<Shared, 'bus' | 'presence'>): LivePublisher {
  const publisherId = randomUUID();
  /**
   * For each listened workspace: the number of its last batch, the rounds since then, and the processes that listen.
   */
  let told = new Map<string, { number: number; rounds: number; processes: readonly string[] }>();
  /** The highest number so far. A workspace whose listeners were gone for a while goes on behind it, with a gap. */
  let highest = 0;
  const gathering = createGathering((workspaceId) => presence.listened().has(workspaceId));
  /** Whether changes were lost since the last round that sent. */
  let hasFailed = false;
  /** Before its first round, a process has sent nothing, so nothing can be missing. */
  let hasBegun = false;
  /** The batches of this round for a workspace's listeners. Most rounds without changes have none. */
  const numbered = (workspaceId: string, given: Gathered | undefined, isLast: boolean): NumberedBatch[] => {
    const last = told.get(workspaceId);
    if (last === undefined) return [];
    last.rounds += 1;
    const isBeat = isLast || hasFailed || last.rounds >= BEAT_ROUNDS;
    const batch = given ?? (isBeat ? nothingGathered() : undefined);
    if (batch === undefined) return [];
    last.rounds = 0;
    const dropped = hasFailed ? null : batch.dropped;
    const deliveries = Array.from(batch.deliveries, ([deliveryId, endpointId]) => ({ deliveryId, endpointId }));
    return partsOf({ workspaceId, deliveries, eventIds: batch.eventIds, dropped }).map((part) => {
      last.number += 1;
      highest = Math.max(highest, last.number);
      return { ...part, number: last.number, isLast };
    });
  };
  const round = (isLast = false) => {
    const gathered = gathering.end();
    if (!bus.isUp()) {
      hasFailed = hasBegun;
      told.clear();
      return;
    }
    const listened = presence.listened();
    // A first batch with the number 1 says that nothing was sent before. With a higher number there may have been
    // earlier changes, which this process did not send because it had not seen the listener yet.
    const number = hasBegun ? highest + 1 : 0;
    told = new Map(
      Array.from(listened, ([id, processes]) => {
        const last = told.get(id) ?? { number, rounds: 0, processes: [] };
        // A new listener gets a batch now, so that it knows this process.
        const isSeen = processes.every((process) => last.processes.includes(process));
        return [id, { ...last, processes, ...(!isSeen && { rounds: BEAT_ROUNDS }) }];
      }),
    );
    const ofProcess = new Map<string, NumberedBatch[]>();
    for (const [workspaceId, processes] of listened) {
      const batches = numbered(workspaceId, gathered.get(workspaceId), isLast);
      for (const process of processes) ofProcess.set(process, [...(ofProcess.get(process) ?? []), ...batches]);
    }
    for (const [process, batches] of ofProcess)
      for (const message of messagesOf(publisherId, batches)) bus.send(process, 'live', message);
    hasFailed = false;
    hasBegun = true;
  };
  const timer = setInterval(round, EVERY_MS);
  timer.unref();
  return {
    ...gathering.taker,
    async close() {
      clearInterval(timer);
      round(true);
    },
  };
}

type SubscriberOptions = Pick<Shared, 'db' | 'bus' | 'presence' | 'processId' | 'onError'> & LiveSubscriberOptions;

/** Listens on the bus. For each workspace that it listens to, and for each stream, this process renews a row. */
export function createLiveSubscriber(options: SubscriberOptions): LiveSubscriber {
  const { db, bus, presence, processId: holder, onBatch, onReconnected, onError } = options;
  const numbers = createBatchNumbers();
  const listening = new Map<string, { isHeard: boolean }>();
  const { hold, leave } = placesOf(db, HELD.listens, holder);
  const off = [
    bus.on('live', (message) => {
      const { publisherId, batches } = batchesOf(message);
      for (const { number, isLast, ...batch } of batches) {
        const place = listening.get(batch.workspaceId);
        if (place === undefined) continue;
        // An earlier batch should have arrived: the publisher has seen this listener late.
        const isLate = place.isHeard && number > 1 && !numbers.knows(batch.workspaceId, publisherId);
        const isMissing = numbers.take(batch.workspaceId, { publisherId, number, isLast }) || isLate;
        if (isMissing || !isEmpty(batch)) onBatch(isMissing ? { ...batch, dropped: null } : batch);
      }
    }),
    bus.onConnected(() => {
      // After a crash of Postgres, the rows are gone.
      hold([...listening.keys()]).catch(onError);
      onReconnected();
    }),
  ];
  const sweeping = setInterval(() => {
    for (const workspaceId of numbers.sweep()) onBatch({ workspaceId, deliveries: [], eventIds: [], dropped: null });
  }, SWEEP_EVERY_MS);
  const renewing = setInterval(() => void hold([...listening.keys()]).catch(onError), RENEW_EVERY_MS);
  for (const timer of [sweeping, renewing]) timer.unref();
  const take = createBatcher<Stream, boolean>({
    run: (streams) => takeStreams(db, streams),
    maxItems: 100,
    maxInFlight: 1,
  });
  return {
    async subscribe(workspaceId) {
      if (!bus.isUp()) throw new Error('the bus is not connected');
      const place = { isHeard: false };
      listening.set(workspaceId, place);
      await hold([workspaceId]);
      presence.hurry();
      await untilHeard(EVERY_MS);
      place.isHeard = true;
    },
    unsubscribe(workspaceId) {
      numbers.forget(workspaceId);
      listening.delete(workspaceId);
      const left = leave([workspaceId]).then(() => {
        // Somebody has subscribed again meanwhile.
        if (listening.has(workspaceId)) return hold([workspaceId]);
      });
      left.catch(onError);
    },
    takeStream: (holderId, streamId, most) =>
      take({ subject: subjectOf(`streams:${holderId}`), holder: subjectOf(streamId), most }),
    releaseStream(holderId, streamId) {
      const stream = placesOf(db, HELD.stream, subjectOf(streamId));
      // A stream that cannot be released becomes free when its time ends.
      stream.leave([subjectOf(`streams:${holderId}`)]).catch(onError);
    },
    close() {
      for (const timer of [sweeping, renewing]) clearInterval(timer);
      for (const end of off) end();
      // Rows that cannot be deleted end at their time.
      leave([...listening.keys()]).catch(() => undefined);
      listening.clear();
    },
  };
}

type Stream = { subject: string; holder: string; most: number };

/** Takes the locks in the order of the subjects, so that no two processes deadlock. */
async function takeStreams(db: Shared['db'], streams: readonly Stream[]): Promise<boolean[]> {
  const asked = JSON.stringify(streams.map((stream, n) => ({ n, ...stream })));
  const taken = await db.$queryRaw<{ n: number; isHeld: boolean }[]>`
    select n, take_held(${HELD.stream}::smallint, subject, holder, most, ${STREAM_LEASE_MS}) as "isHeld" from (
      select * from json_to_recordset(${asked}::json) as a(n int, subject uuid, holder uuid, most int) order by subject, n
    ) in_order`;
  const held = new Set(taken.filter(({ isHeld }) => isHeld).map(({ n }) => n));
  return streams.map((_, n) => held.has(n));
}
