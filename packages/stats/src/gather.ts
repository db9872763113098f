import { type AttemptBytes, addBytes } from './attempt-bytes.ts';
import { addTo, type Histogram, mergeInto } from './histogram.ts';

/** The owners of a delivery's counts. A direct delivery has no event type. */
export type DeliveryFacts = { workspaceId: string; endpointId: string; eventType: string | null };
/** The owners of an event's counts. `applicationId` is the application to which the event was sent. */
export type EventFacts = {
  workspaceId: string;
  environmentId: string;
  applicationId: string | null;
  eventType: string | null;
};
export type AttemptFacts = {
  succeeded: boolean;
  durationMs: number;
  /** From the acceptance of the event to this attempt; null unless it is the first of its delivery. */
  delayMs: number | null;
};
export type EndStatus = 'delivered' | 'failed' | 'dead_letter';

/**
 * The counts of one minute and event type. They are about the deliveries of an endpoint, or about the events that were
 * ingested in an environment (and sent to an application, if `applicationId` is not null).
 */
export type Cell = {
  minuteMs: number;
  workspaceId: string;
  eventType: string | null;
  of: { endpointId: string } | { environmentId: string; applicationId: string | null };
  counts: Counts;
  duration: Histogram;
  delay: Histogram;
  lastSuccessMs: number | null;
  lastFailureMs: number | null;
};

export type Counts = Record<(typeof COUNTED)[number], number>;

export const COUNTED = [
  'ingested',
  'attempts',
  'succeeded',
  'failed',
  'delivered',
  'endedFailed',
  'deadLettered',
] as const;

/** Counts in memory until the next write. Counting takes about a microsecond, and never fails or waits. */
export type Gatherer = {
  countIngested(event: EventFacts): void;
  /** `ended` is the status in which the attempt has ended its delivery. */
  countAttempt(delivery: DeliveryFacts, attempt: AttemptFacts, ended?: EndStatus): void;
  /** Adds the stored bytes of an attempt, also of a test. */
  countAttemptBytes(workspaceId: string, bytes: number): void;
  /** `times` deliveries have ended. */
  countEnded(delivery: DeliveryFacts, status: EndStatus, times?: number): void;
  /** Removes and returns all cells. */
  take(): Cell[];
  takeAttemptBytes(): AttemptBytes;
  putBackAttemptBytes(returned: AttemptBytes): void;
  /** Takes back cells that could not be written, as far as there is room, and drops the rest. */
  putBack(cells: readonly Cell[]): void;
  /** Counts cells that can never be written as dropped. */
  drop(cells: readonly Cell[]): void;
};

export type GathererOptions = {
  nowMs: () => number;
  /** Called when a write should not wait for its second. */
  onFull: () => void;
  /** Called with the number of counts for which there was no room. */
  onDropped: (counts: number) => void;
};

/** The number of cells at which a write should begin. Each 500 cells take one statement. */
const FULL = 5_000;
/** The most cells in memory, about 1 KB each, even while Postgres is away. */
const MAX_CELLS = 20_000;
/** The most cells of one workspace, so that a workspace with many endpoints and types leaves room for others. */
const MAX_OF_WORKSPACE = 5_000;
const MINUTE_MS = 60_000;

export function createGatherer({ nowMs, onFull, onDropped }: GathererOptions): Gatherer {
  // Cells by owner and event type. The keys are existing strings: only a count for an application builds a new one.
  let minutes = new Map<number, CellsOfMinute>();
  let sizes = new Map<string, number>();
  let size = 0;
  let attemptBytes: AttemptBytes = new Map();

  const find = (minuteMs: number, { workspaceId, eventType }: Owned, owner: string) =>
    minutes
      .get(minuteMs)
      ?.get(owner)
      ?.get(eventType === null ? workspaceId : eventType);
  const hasRoom = (workspaceId: string) => size < MAX_CELLS && (sizes.get(workspaceId) ?? 0) < MAX_OF_WORKSPACE;
  const add = (cell: Cell, owner: string) => {
    const { minuteMs, workspaceId, eventType } = cell;
    const ofMinute = minutes.get(minuteMs) ?? new Map<string, Map<string, Cell>>();
    minutes.set(minuteMs, ofMinute);
    const ofOwner = ofMinute.get(owner) ?? new Map<string, Cell>();
    ofMinute.set(owner, ofOwner);
    // Without an event type, the workspace's id is the key: no type's name is ever an id.
    ofOwner.set(eventType === null ? workspaceId : eventType, cell);
    sizes.set(workspaceId, (sizes.get(workspaceId) ?? 0) + 1);
    size += 1;
    if (size === FULL) onFull();
  };
  const cellOf = (atMs: number, facts: Owned, of: Cell['of'], times = 1): Cell | undefined => {
    const minuteMs = atMs - (atMs % MINUTE_MS);
    const owner = ownerOf(of);
    const known = find(minuteMs, facts, owner);
    if (known !== undefined) return known;
    if (!hasRoom(facts.workspaceId)) {
      onDropped(times);
      return undefined;
    }
    const { workspaceId, eventType } = facts;
    const cell = { minuteMs, workspaceId, eventType, of, ...noFigures() };
    add(cell, owner);
    return cell;
  };
  return {
    countIngested(event) {
      const { environmentId, applicationId } = event;
      const cell = cellOf(nowMs(), event, { environmentId, applicationId });
      if (cell !== undefined) cell.counts.ingested += 1;
    },
    countAttempt(delivery, attempt, ended) {
      const atMs = nowMs();
      const cell = cellOf(atMs, delivery, { endpointId: delivery.endpointId });
      if (cell === undefined) return;
      countAttempt(cell, attempt, atMs);
      if (ended !== undefined) cell.counts[COUNT_OF_END[ended]] += 1;
    },
    countAttemptBytes(workspaceId, bytes) {
      addBytes(attemptBytes, { day: new Date(nowMs()).toISOString().slice(0, 10), workspaceId }, bytes);
    },
    countEnded(delivery, status, times = 1) {
      const cell = cellOf(nowMs(), delivery, { endpointId: delivery.endpointId }, times);
      if (cell !== undefined) cell.counts[COUNT_OF_END[status]] += times;
    },
    take() {
      const taken = Array.from(minutes.values(), (ofMinute) =>
        Array.from(ofMinute.values(), (ofOwner) => [...ofOwner.values()]),
      ).flat(2);
      minutes = new Map();
      sizes = new Map();
      size = 0;
      return taken;
    },
    takeAttemptBytes() {
      const taken = attemptBytes;
      attemptBytes = new Map();
      return taken;
    },
    putBackAttemptBytes(returned) {
      for (const [day, ofDay] of returned) {
        for (const [workspaceId, bytes] of ofDay) addBytes(attemptBytes, { day, workspaceId }, bytes);
      }
    },
    putBack(returned) {
      for (const cell of returned) {
        const owner = ownerOf(cell.of);
        const known = find(cell.minuteMs, cell, owner);
        if (known !== undefined) mergeCell(known, cell);
        else if (hasRoom(cell.workspaceId)) add(cell, owner);
        else onDropped(sizeOf(cell));
      }
    },
    drop(dropped) {
      for (const cell of dropped) onDropped(sizeOf(cell));
    },
  };
}

type CellsOfMinute = Map<string, Map<string, Cell>>;
type Owned = { workspaceId: string; eventType: string | null };

function ownerOf(of: Cell['of']): string {
  if ('endpointId' in of) return of.endpointId;
  return of.applicationId === null ? of.environmentId : of.environmentId + of.applicationId;
}

const COUNT_OF_END = { delivered: 'delivered', failed: 'endedFailed', dead_letter: 'deadLettered' } as const;

function sizeOf({ counts }: Cell): number {
  const { ingested, attempts, delivered, endedFailed, deadLettered } = counts;
  return ingested + attempts + delivered + endedFailed + deadLettered;
}

export type Figures = Pick<Cell, 'counts' | 'duration' | 'delay' | 'lastSuccessMs' | 'lastFailureMs'>;

export function noFigures(): Figures {
  return {
    counts: { ingested: 0, attempts: 0, succeeded: 0, failed: 0, delivered: 0, endedFailed: 0, deadLettered: 0 },
    duration: new Map(),
    delay: new Map(),
    lastSuccessMs: null,
    lastFailureMs: null,
  };
}

/** Adds the figures of `other`. */
export function mergeCell(cell: Figures, other: Figures): void {
  for (const name of COUNTED) cell.counts[name] += other.counts[name];
  mergeInto(cell.duration, other.duration);
  mergeInto(cell.delay, other.delay);
  cell.lastSuccessMs = latest(cell.lastSuccessMs, other.lastSuccessMs);
  cell.lastFailureMs = latest(cell.lastFailureMs, other.lastFailureMs);
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

function countAttempt(cell: Cell, { succeeded, durationMs, delayMs }: AttemptFacts, atMs: number): void {
  cell.counts.attempts += 1;
  if (succeeded) {
    cell.counts.succeeded += 1;
    cell.lastSuccessMs = atMs;
  } else {
    cell.counts.failed += 1;
    cell.lastFailureMs = atMs;
  }
  addTo(cell.duration, durationMs);
  if (delayMs !== null) addTo(cell.delay, delayMs);
}
