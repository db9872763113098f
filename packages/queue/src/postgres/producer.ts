import type { Depths, Producer, QueueName } from '../producer.ts';
import { ROW_QUEUES, type RowQueue } from '../rows.ts';
import { type Takers, takesOffers } from '../takers.ts';
import { bytesOfOffers, MOST_OFFERS } from './offers.ts';
import type { Worker } from './presence.ts';
import type { Shared } from './shared.ts';

export type ProducerDeps = Shared & {
  /** Says in this process that rows are due. False if this process takes none. */
  tellHere: (queue: RowQueue) => boolean;
};

const MOST_COUNTED = 10_000;
const TURN = 'gauges';

/** Announces what is due. The rows are the queue, so nothing is added to a queue and nothing can be lost. */
export function createProducer(deps: ProducerDeps): Producer {
  const { db, bus, presence, processId, tellHere } = deps;
  const room = createRoom(() => presence.workers());
  const tell = (queue: RowQueue) => {
    if (tellHere(queue)) return;
    const worker = room.most();
    if (worker !== undefined) bus.send(worker.id, 'due', Buffer.from([ROW_QUEUES.indexOf(queue)]));
  };
  return {
    kind: 'postgres',
    async enqueueFanOut(events) {
      if (events.length > 0) tell('fan-out');
    },
    async enqueueDeliveries(deliveries) {
      if (deliveries.some(({ delayMs }) => delayMs <= 0)) tell('deliver');
    },
    async handOver(events, leaseToken) {
      const deliveries = events.flatMap((event) => event.deliveries);
      if (deliveries.length === 0) return;
      if (leaseToken === undefined) return tell('deliver');
      for (let left = deliveries; left.length > 0; ) {
        // If nobody can take the offers, they expire and their rows become due.
        const worker = room.most();
        if (worker === undefined) return;
        // Each dispatcher gets as many as it has free slots. The rest may wait for a slot.
        const free = Math.floor(room.of(worker));
        const part = left.slice(0, Math.min(MOST_OFFERS, free > 0 ? free : worker.slotCount));
        room.take(worker, part.length);
        bus.send(worker.id, 'offers', bytesOfOffers({ deliveries: part, leaseToken }));
        left = left.slice(part.length);
      }
    },
    takers(): Takers {
      if (!bus.isUp() || presence.isPaused('deliver')) return 'behind';
      const worker = room.most();
      return worker !== undefined && takesOffers(room.of(worker), worker.slotCount) ? 'ready' : 'behind';
    },
    slowMs: (endpointId) => slowMs(presence.workers(), endpointId),
    enqueueOverdue: async () => 0,
    async depths() {
      const [row] = await db.$queryRaw<{ fanOut: number; waiting: number; delayed: number }[]>`
        select (select count(*)::int from (select from pending_fan_out limit ${MOST_COUNTED}::int) p) as "fanOut",
          (select count(*)::int from (select from delivery where due_at <= now() and status <> 'delivering'
            limit ${MOST_COUNTED}::int) d) as waiting,
          (select count(*)::int from (select from delivery where due_at > now() and due_at < now() + interval '1 year'
            and status <> 'delivering' limit ${MOST_COUNTED}::int) d) as delayed`;
      const { fanOut = 0, waiting = 0, delayed = 0 } = row ?? {};
      return { fanOut: { waiting: fanOut, delayed: 0 }, deliver: { waiting, delayed } satisfies Depths };
    },
    async takeReconcilerTurn(forMs) {
      const taken = await db.$executeRaw`
        insert into queue_turn as t (name, holder, until)
        values (${TURN}, ${processId}::uuid, now() + make_interval(secs => ${forMs / 1_000}::float8))
        on conflict (name) do update set holder = excluded.holder, until = excluded.until
        where t.until <= now() or t.holder = excluded.holder`;
      return taken > 0;
    },
    async shortenReconcilerTurn(toMs) {
      await db.$executeRaw`update queue_turn set until = now() + make_interval(secs => ${toMs / 1_000}::float8)
        where name = ${TURN} and holder = ${processId}::uuid`;
    },
    async ping() {
      await db.$queryRaw`select 1`;
    },
    onReachable: (listener) => listener(),
    formerShards: async () => [],
    // This makes the watchdogs look at the rows, which are the queue. Offers that nobody takes are rows, too.
    waiting: async (queue) => (queue === 'handOver' ? 0 : 1),
    async isPaused(queue) {
      const found = await db.$queryRaw<object[]>`select from paused_queue where queue = ${NAMES[queue]}`;
      return found.length > 0;
    },
    async setPaused(queue, isPaused) {
      if (isPaused) await db.$executeRaw`insert into paused_queue (queue) values (${queue}) on conflict do nothing`;
      else await db.$executeRaw`delete from paused_queue where queue = ${queue}`;
    },
    close: async () => undefined,
  };
}

const NAMES: Record<QueueName, RowQueue> = { handOver: 'deliver', fanOut: 'fan-out', deliver: 'deliver' };

/** The free slots of the dispatchers, counted down between two looks. */
function createRoom(workers: () => readonly Worker[]) {
  let known: readonly Worker[] = [];
  let taken = new Map<string, number>();
  const of = ({ id, freeSlots }: Worker) => freeSlots - (taken.get(id) ?? 0);
  return {
    of,
    most(): Worker | undefined {
      if (workers() !== known) [known, taken] = [workers(), new Map()];
      let most: Worker | undefined;
      for (const worker of known)
        if (worker.hasBus && worker.slotCount > 0 && (most === undefined || of(worker) > of(most))) most = worker;
      return most;
    },
    take: ({ id }: Worker, count: number) => void taken.set(id, (taken.get(id) ?? 0) + count),
  };
}

/** The paces of several dispatchers add up, because each frees its own slots. */
function slowMs(workers: readonly Worker[], endpointId: string): number | undefined {
  let perMs = 0;
  for (const { slowEndpoints } of workers) {
    const ms = slowEndpoints[endpointId];
    if (ms !== undefined) perMs += 1 / Math.max(1, ms);
  }
  return perMs === 0 ? undefined : 1 / perMs;
}
