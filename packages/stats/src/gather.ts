import { addTo, type Histogram, mergeInto } from './histogram.ts';

/** What a delivery belongs to. A direct delivery has no event type. */
export type DeliveryFacts = { workspaceId: string; endpointId: string; eventType: string | null };
/** What an event belongs to. `applicationId` is the application to which it was sent. */
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

/** The counts of one minute, of one endpoint and event type, or of what was ingested. */
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

/** Counts in memory until the next write. To count takes about a microsecond, and never fails or waits. */
export type Gatherer = {
  countIngested(event: EventFacts): void;
  countAttempt(delivery: DeliveryFacts, attempt: AttemptFacts): void;
  /** `times` deliveries have ended. */
  countEnded(delivery: DeliveryFacts, status: EndStatus, times?: number): void;
  /** Removes and returns all cells. */
  take(): Cell[];
  /** Returns cells that could not be written. Those for which there is no room are dropped. */
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

/** A write should begin at this many cells: it takes a statement for each 500. */
const FULL = 5_000;
/** The most cells, about 1 KB each, also while Postgres is away. */
const MOST_CELLS = 20_000;
/** The most cells of a workspace, so that one with many endpoints and types leaves room for the others. */
const MOST_OF_A_WORKSPACE = 5_000;
const MINUTE_MS = 60_000;

export function createGatherer({ nowMs, onFull, onDropped }: GathererOptions): Gatherer {
  let cells = new Map<string, Cell>();
  let sizes = new Map<string, number>();

  const hasRoom = (workspaceId: string) =>
    cells.size < MOST_CELLS && (sizes.get(workspaceId) ?? 0) < MOST_OF_A_WORKSPACE;
  const add = (key: string, cell: Cell) => {
    cells.set(key, cell);
    sizes.set(cell.workspaceId, (sizes.get(cell.workspaceId) ?? 0) + 1);
    if (cells.size === FULL) onFull();
  };
  const cellOf = (facts: DeliveryFacts | EventFacts, atMs: number): Cell | undefined => {
    const minuteMs = atMs - (atMs % MINUTE_MS);
    const key = keyOf(minuteMs, facts);
    const known = cells.get(key);
    if (known !== undefined) return known;
    if (!hasRoom(facts.workspaceId)) {
      onDropped(1);
      return undefined;
    }
    const cell = emptyCell(minuteMs, facts);
    add(key, cell);
    return cell;
  };
  return {
    countIngested(event) {
      const cell = cellOf(event, nowMs());
      if (cell !== undefined) cell.counts.ingested += 1;
    },
    countAttempt(delivery, attempt) {
      const atMs = nowMs();
      const cell = cellOf(delivery, atMs);
      if (cell !== undefined) countAttempt(cell, attempt, atMs);
    },
    countEnded(delivery, status, times = 1) {
      const cell = cellOf(delivery, nowMs());
      if (cell !== undefined) cell.counts[COUNT_OF_END[status]] += times;
    },
    take() {
      const taken = [...cells.values()];
      cells = new Map();
      sizes = new Map();
      return taken;
    },
    putBack(returned) {
      for (const cell of returned) {
        const key = keyOf(cell.minuteMs, { ...cell.of, workspaceId: cell.workspaceId, eventType: cell.eventType });
        const known = cells.get(key);
        if (known !== undefined) mergeCell(known, cell);
        else if (hasRoom(cell.workspaceId)) add(key, cell);
        else onDropped(sizeOf(cell));
      }
    },
    drop(dropped) {
      for (const cell of dropped) onDropped(sizeOf(cell));
    },
  };
}

const COUNT_OF_END = { delivered: 'delivered', failed: 'endedFailed', dead_letter: 'deadLettered' } as const;

function sizeOf({ counts }: Cell): number {
  const { ingested, attempts, delivered, endedFailed, deadLettered } = counts;
  return ingested + attempts + delivered + endedFailed + deadLettered;
}

function keyOf(minuteMs: number, facts: DeliveryFacts | EventFacts): string {
  const owner = 'endpointId' in facts ? facts.endpointId : `${facts.environmentId} ${facts.applicationId ?? ''}`;
  return `${minuteMs} ${owner} ${facts.eventType ?? ''}`;
}

function emptyCell(minuteMs: number, facts: DeliveryFacts | EventFacts): Cell {
  return {
    minuteMs,
    workspaceId: facts.workspaceId,
    eventType: facts.eventType,
    of:
      'endpointId' in facts
        ? { endpointId: facts.endpointId }
        : { environmentId: facts.environmentId, applicationId: facts.applicationId },
    ...noFigures(),
  };
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
