import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { toError } from '@posthorn/runtime/describe-error';
import { type Repeating, repeat } from '@posthorn/runtime/repeat';
import { HELD } from './held.ts';

/** How often a process shows itself, by one statement that also reads what it must know about the others. */
const EVERY_MS = 500;
const WAIT_AFTER_ERROR_MS = 1_000;
/** The longest wait of a process that stops for its look. Postgres may be away. */
const LOOKS_WITHIN_MS = 3_000;
/** Within this time after a look, each other process has looked, too. */
const SEEN_BY_ALL_MS = 1.5 * EVERY_MS;
/** After this silence, a process counts as gone. */
const SEEN_FOR_SECONDS = 5;
/** With Redis, a process shows only where its queues are. */
const EVERY_MS_WITH_REDIS = 5_000;
const SEEN_FOR_SECONDS_WITH_REDIS = 15;
const MOST_HELD = 10_000;

/** A process, as the others see it. */
export type Worker = {
  id: string;
  role: string;
  hasBus: boolean;
  slotCount: number;
  freeSlots: number;
  slowEndpoints: Record<string, number>;
};

/** The report of a dispatcher to the other processes. */
export type Report = { slotCount: number; freeSlots: number; slowEndpoints: ReadonlyMap<string, number> };

/** The other processes, as this one saw them at most a second ago. Empty while Postgres is away. */
export type Presence = {
  workers(): readonly Worker[];
  /** Whether an operator has paused the queue. Until the first look, every queue counts as paused. */
  isPaused(queue: string): boolean;
  /** Whether services were seen that have their queues elsewhere. */
  isMixed(): boolean;
  /** The workspaces with listeners of their live changes, and the processes that listen to each. */
  listened(): ReadonlyMap<string, readonly string[]>;
  /** The processes at which consumers wait. */
  waiting(): readonly string[];
  /**
   * Shows this dispatcher's room to others until the returned function is called, which resolves when they have had
   * time to see that.
   */
  show(report: () => Report): () => Promise<void>;
  /** Looks at once. */
  hurry(): void;
  close(): Promise<void>;
};

export type PresenceOptions = {
  db: Db;
  processId: string;
  role: string;
  version: string;
  hasBus: () => boolean;
  monotonicMs: () => number;
  onError: (error: Error) => void;
};

type Seen = {
  workers: Worker[];
  isMixed: boolean;
  paused: string[];
  listens: { workspaceId: string; holder: string }[];
  waits: string[];
};
const NOTHING: Known = { workers: [], isMixed: false, paused: new Set(), listeners: new Map(), waiting: [] };
type Known = {
  workers: readonly Worker[];
  isMixed: boolean;
  paused: ReadonlySet<string>;
  listeners: ReadonlyMap<string, string[]>;
  waiting: readonly string[];
};

/** Shows this process, and reads what the others show. The first look begins at once. */
export function openPresence(options: PresenceOptions): Presence {
  const { db, processId, monotonicMs, onError } = options;
  let known = NOTHING;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let report: (() => Report) | undefined;
  let looks: Repeating | undefined;
  let onShown = () => {};
  const look = async () => {
    const beganMs = monotonicMs();
    const tell = onShown;
    known = toKnown(await showAndRead(options, report?.()));
    readAtMs = beganMs;
    tell();
  };
  const begin = () => {
    looks ??= repeat({
      async round() {
        await look();
        return EVERY_MS;
      },
      waitAfterErrorMs: WAIT_AFTER_ERROR_MS,
      onError: (error) => onError(toError(error)),
    });
    return looks;
  };
  begin();
  const now = () => (monotonicMs() - readAtMs > 1_000 * SEEN_FOR_SECONDS ? NOTHING : known);
  return {
    workers: () => now().workers,
    // An operator's pause counts until it is known to be over. Before the first look, nobody knows.
    isPaused: (queue) => known === NOTHING || known.paused.has(queue),
    isMixed: () => now().isMixed,
    listened: () => now().listeners,
    waiting: () => now().waiting,
    show(given) {
      report = given;
      begin().hurry();
      return async () => {
        if (report !== given) return;
        report = undefined;
        const shown = new Promise<void>((resolve) => {
          onShown = resolve;
        });
        begin().hurry();
        if (!now().workers.some(({ id }) => id !== processId)) return;
        await Promise.race([shown, delay(LOOKS_WITHIN_MS, undefined, { ref: false })]);
        await delay(SEEN_BY_ALL_MS, undefined, { ref: false });
      };
    },
    hurry: () => begin().hurry(),
    async close() {
      await looks?.stop();
      await forget(db, processId);
    },
  };
}

type WithRedis = Pick<PresenceOptions, 'db' | 'processId' | 'role' | 'version' | 'onError'>;

/**
 * Shows a process that has its queues in Redis, and looks whether others have theirs in Postgres. It knows nothing while Postgres
 * is away.
 */
export function showWithRedis(options: WithRedis): Pick<Presence, 'isMixed' | 'close'> {
  const { db, processId, role, version, onError } = options;
  let isMixed = false;
  const looks = repeat({
    async round() {
      const [seen] = await db.$queryRaw<{ isMixed: boolean }[]>`
        with mine as (
          insert into worker (id, role, queue, version) values (${processId}::uuid, ${role}, 'redis', ${version})
          on conflict (id) do update set seen_at = now()
        ), gone as (${forgetSilent(processId)})
        select ${servicesElsewhere('redis')} as "isMixed"`;
      isMixed = seen?.isMixed ?? false;
      return EVERY_MS_WITH_REDIS;
    },
    waitAfterErrorMs: EVERY_MS_WITH_REDIS,
    onError: (error) => {
      isMixed = false;
      onError(toError(error));
    },
  });
  return {
    isMixed: () => isMixed,
    async close() {
      await looks.stop();
      await forget(db, processId);
    },
  };
}

/** A service that was seen. A command of an operator ends at once, and does not count. */
const IS_SERVICE = Prisma.sql`role <> 'admin'
  and seen_at > now() - make_interval(secs => ${SEEN_FOR_SECONDS_WITH_REDIS}::int)`;

/** Whether services were seen that have their queues elsewhere. */
export function servicesElsewhere(queue: 'redis' | 'postgres'): Prisma.Sql {
  return Prisma.sql`exists (select from worker where queue <> ${queue} and ${IS_SERVICE})`;
}

/** Whether services of both kinds were seen. */
export async function areServicesMixed(db: Db): Promise<boolean> {
  const [seen] = await db.$queryRaw<{ areMixed: boolean }[]>`
    select count(distinct queue) > 1 as "areMixed" from worker where ${IS_SERVICE}`;
  return seen?.areMixed ?? false;
}

/**
 * The rows of processes that ended without a word. It waits for no lock: after an outage all look at once, each with its own
 * row locked, and two that waited for each other's row would deadlock.
 */
function forgetSilent(processId: string): Prisma.Sql {
  return Prisma.sql`delete from worker where id = any(array(select id from worker
    where seen_at < now() - interval '1 minute' and id <> ${processId}::uuid for update skip locked))`;
}

async function forget(db: Db, processId: string): Promise<void> {
  await db.$executeRaw`delete from worker where id = ${processId}::uuid`.catch(() => undefined);
}

function toKnown({ workers, isMixed, paused, listens, waits }: Seen): Known {
  const listeners = new Map<string, string[]>();
  for (const { workspaceId, holder } of listens)
    listeners.set(workspaceId, [...(listeners.get(workspaceId) ?? []), holder]);
  return { workers, isMixed, paused: new Set(paused), listeners, waiting: waits };
}

async function showAndRead(
  { db, processId, role, version, hasBus }: PresenceOptions,
  report: Report | undefined,
): Promise<Seen> {
  const { slotCount = 0, freeSlots = 0, slowEndpoints = new Map<string, number>() } = report ?? {};
  const slow = JSON.stringify(Object.fromEntries(slowEndpoints));
  const recently = Prisma.sql`now() - make_interval(secs => ${SEEN_FOR_SECONDS}::int)`;
  const [seen] = await db.$queryRaw<Seen[]>`
    with mine as (
      insert into worker (id, role, queue, version, has_bus, slot_count, free_slots, slow_endpoints)
      values (${processId}::uuid, ${role}, 'postgres', ${version}, ${hasBus()}, ${slotCount}::int, ${freeSlots}::int,
        ${slow}::jsonb)
      on conflict (id) do update set has_bus = excluded.has_bus, slot_count = excluded.slot_count,
        free_slots = excluded.free_slots, slow_endpoints = excluded.slow_endpoints, seen_at = now()
    ), gone as (${forgetSilent(processId)}), places as materialized (
      select kind, subject, holder from held
      where kind in (${HELD.listens}::smallint, ${HELD.waits}::smallint) and until > now() limit ${MOST_HELD}::int
    )
    select
      (select coalesce(json_agg(json_build_object('id', id, 'role', role, 'hasBus', has_bus, 'slotCount', slot_count,
        'freeSlots', free_slots, 'slowEndpoints', slow_endpoints) order by id), '[]') from worker
        where queue = 'postgres' and seen_at > ${recently}) as workers,
      ${servicesElsewhere('postgres')} as "isMixed",
      (select coalesce(json_agg(queue), '[]') from paused_queue) as paused,
      (select coalesce(json_agg(json_build_object('workspaceId', subject, 'holder', holder)), '[]') from places
        where kind = ${HELD.listens}::smallint) as listens,
      (select coalesce(json_agg(distinct holder), '[]') from places where kind = ${HELD.waits}::smallint) as waits`;
  if (seen === undefined) throw new Error('the statement returned no row');
  return seen;
}
