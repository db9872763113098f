import { randomUUID } from 'node:crypto';
import type { DeliveryStatus } from '@posthorn/contract/deliveries';
import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import type { LiveBatch, LiveSubscriber, LiveSubscriberOptions } from '@posthorn/queue/live';
import { repeat } from '@posthorn/runtime/repeat';
import { type Change, readChanges } from './read-changes.ts';
import { createLiveStream, type LiveStream } from './stream.ts';

/** The changes that a stream shows. Fields that are undefined or null restrict nothing. */
export type LiveFilter = {
  environmentIds: readonly string[] | null;
  endpointId?: string | undefined;
  applicationId?: string | undefined;
  /** Only deliveries with this status. A stream with a status shows no events. */
  status?: DeliveryStatus | undefined;
};

export type LiveHub = {
  /** Undefined when the workspace or the application has as many streams as it may. Rejects while Redis is away. */
  open(workspaceId: string, filter: LiveFilter): Promise<LiveStream | undefined>;
  close(): Promise<void>;
};

export type LiveHubDeps = {
  db: Db;
  connect: (options: LiveSubscriberOptions) => LiveSubscriber;
  onError: (error: unknown) => void;
};

/** A workspace's changes are read from Postgres this often. */
const READ_EVERY_MS = 250;
/** The most deliveries and the most events of a workspace in one read; the rest is told as a gap. */
const MAX_READ = 200;
const KEEP_EVERY_MS = 10_000;

type Room = {
  streams: Map<string, { stream: LiveStream; filter: LiveFilter }>;
  /** Resolves once the workspace's changes arrive. */
  subscribed: Promise<void>;
  deliveryIds: Set<string>;
  eventIds: Set<string>;
  /** The number of changes that were dropped; null if it is unknown. */
  dropped: number | null;
};

/**
 * The live streams of this process. However many streams a workspace has, its changes are subscribed to once and read
 * once. Workspaces are read one after the other, each at most 200 rows at a time: a busy one delays no other for long.
 */
export function createLiveHub({ db, connect, onError }: LiveHubDeps): LiveHub {
  const rooms = new Map<string, Room>();
  const subscriber = connect({
    onBatch: (batch) => take(rooms.get(batch.workspaceId), batch),
    onReconnected: () => forEachStream(rooms, ({ stream }) => stream.drop(null)),
  });
  const reading = repeat({
    async round() {
      for (const [workspaceId, room] of rooms) await readRoom(db, workspaceId, room).catch(onError);
      return READ_EVERY_MS;
    },
    waitAfterErrorMs: READ_EVERY_MS,
    onError,
  });
  const keeping = setInterval(() => {
    forEachStream(rooms, ({ filter }, streamId, workspaceId) => {
      for (const { id, most } of holdersOf(workspaceId, filter)) {
        subscriber.takeStream(id, streamId, most).catch(onError);
      }
    });
  }, KEEP_EVERY_MS);
  keeping.unref();
  const leave = (workspaceId: string, streamId: string) => {
    const room = rooms.get(workspaceId);
    const filter = room?.streams.get(streamId)?.filter;
    if (room === undefined || filter === undefined) return;
    room.streams.delete(streamId);
    for (const { id } of holdersOf(workspaceId, filter)) subscriber.releaseStream(id, streamId);
    if (room.streams.size > 0) return;
    rooms.delete(workspaceId);
    subscriber.unsubscribe(workspaceId);
  };
  return {
    async open(workspaceId, filter) {
      const streamId = randomUUID();
      if (!(await takeFrom(subscriber, holdersOf(workspaceId, filter), streamId))) return undefined;
      const room = rooms.get(workspaceId) ?? newRoom(subscriber.subscribe(workspaceId));
      rooms.set(workspaceId, room);
      const stream = createLiveStream(() => leave(workspaceId, streamId));
      room.streams.set(streamId, { stream, filter });
      await room.subscribed.catch((error: unknown) => {
        stream.end();
        throw error;
      });
      return stream;
    },
    async close() {
      clearInterval(keeping);
      forEachStream(rooms, ({ stream }) => stream.end());
      await reading.stop();
      subscriber.close();
    },
  };
}

type Holder = { id: string; most: number };

/** A stream counts for its workspace. One of a portal also counts for its application, and for all portals together. */
function holdersOf(workspaceId: string, { applicationId }: LiveFilter): Holder[] {
  const workspace = { id: workspaceId, most: LIMITS.liveStreamsPerWorkspace };
  if (applicationId === undefined) return [workspace];
  const portals = { id: `${workspaceId}:portals`, most: LIMITS.liveStreamsOfPortals };
  return [{ id: applicationId, most: LIMITS.liveStreamsPerApplication }, portals, workspace];
}

/** Counts the stream for all holders, or for none. */
async function takeFrom(subscriber: LiveSubscriber, holders: readonly Holder[], streamId: string): Promise<boolean> {
  for (const [index, { id, most }] of holders.entries()) {
    if (await subscriber.takeStream(id, streamId, most)) continue;
    for (const taken of holders.slice(0, index)) subscriber.releaseStream(taken.id, streamId);
    return false;
  }
  return true;
}

function newRoom(subscribed: Promise<void>): Room {
  return { streams: new Map(), subscribed, deliveryIds: new Set(), eventIds: new Set(), dropped: 0 };
}

type Entry = { stream: LiveStream; filter: LiveFilter };

function forEachStream(
  rooms: ReadonlyMap<string, Room>,
  act: (entry: Entry, streamId: string, workspaceId: string) => void,
): void {
  for (const [workspaceId, room] of [...rooms]) {
    for (const [streamId, entry] of [...room.streams]) act(entry, streamId, workspaceId);
  }
}

/** Notes the changes that at least one stream may show, until the next read. */
function take(room: Room | undefined, { deliveries, eventIds, dropped }: LiveBatch): void {
  if (room === undefined) return;
  const filters = Array.from(room.streams.values(), ({ filter }) => filter);
  const wanted = (endpointId: string) =>
    filters.some((filter) => filter.endpointId === undefined || filter.endpointId === endpointId);
  drop(room, dropped);
  for (const { deliveryId, endpointId } of deliveries) {
    if (wanted(endpointId)) addUpTo(room, room.deliveryIds, deliveryId);
  }
  if (filters.every(({ status }) => status !== undefined)) return;
  for (const eventId of eventIds) addUpTo(room, room.eventIds, eventId);
}

function addUpTo(room: Room, ids: Set<string>, id: string): void {
  if (ids.size < MAX_READ || ids.has(id)) ids.add(id);
  else drop(room, 1);
}

function drop(room: Room, changes: number | null): void {
  room.dropped = room.dropped === null || changes === null ? null : room.dropped + changes;
}

async function readRoom(db: Db, workspaceId: string, room: Room): Promise<void> {
  const { dropped, deliveryIds, eventIds } = room;
  const noted = { deliveryIds: [...deliveryIds], eventIds: [...eventIds] };
  room.dropped = 0;
  deliveryIds.clear();
  eventIds.clear();
  let changes: Change[] = [];
  let lost: number | null = dropped;
  try {
    const isEmpty = noted.deliveryIds.length + noted.eventIds.length === 0;
    changes = isEmpty ? [] : await readChanges(db, workspaceId, noted);
  } catch (error) {
    if (lost !== null) lost += noted.deliveryIds.length + noted.eventIds.length;
    throw error;
  } finally {
    for (const { stream, filter } of room.streams.values()) {
      for (const change of changes) if (shows(filter, change)) stream.push(change.message);
      // The number counts the changes of all customers, so a stream of one is told none.
      if (lost !== 0) stream.drop(filter.applicationId === undefined ? lost : null);
    }
  }
}

function shows(filter: LiveFilter, { message, ...of }: Change): boolean {
  if (filter.status !== undefined && (message.event !== 'delivery' || message.data.status !== filter.status)) {
    return false;
  }
  const matches = (wanted: string | undefined, value: string | null) => wanted === undefined || wanted === value;
  return (
    filter.environmentIds?.includes(of.environmentId) !== false &&
    matches(filter.endpointId, of.endpointId) &&
    matches(filter.applicationId, of.applicationId)
  );
}
