// Judges a run by the receipts, the accepted events and every move that Postgres recorded. It has no side effects.

/** An event that was sent, whether or not it was accepted. Times are in ms since 1970. */
export type SentEvent = {
  /** The hash of the body. */
  hash: string;
  /** The endpoints that it must reach. */
  endpoints: readonly string[];
  /** The id in the first 202; undefined if there was none. */
  eventId?: string;
  acceptedAtMs?: number;
};

/** A request at a receiver, recorded before it was answered. */
export type Receipt = {
  endpoint: string;
  eventId: string;
  attempt: number;
  hash: string;
  atMs: number;
};

/** A change of a delivery's status, due time or lease, in the order of Postgres; `from` is null for the insert. */
export type Move = {
  eventId: string;
  endpoint: string;
  from: string | null;
  to: string;
  dueAtMs: number | null;
  atMs: number;
};

/**
 * A due time from here on is a place in the line of an endpoint (docs/adr/0014): the limit decides when its turn is.
 */
const LINE_MS = Date.UTC(7000, 0, 1);

/** A period without a store. A delivery that was due in it may be late by its length. */
export type Outage = { fromMs: number; toMs: number };

export type Evidence = {
  sent: readonly SentEvent[];
  receipts: readonly Receipt[];
  moves: readonly Move[];
  outages: readonly Outage[];
  /**
   * The status with which a delivery to this endpoint must end, or `any`. `delivered` and `dead_letter` need a receipt.
   * With `lapsed`, there may be no delivery, because its subscription ends under the load.
   */
  endsAs: (endpoint: string) => string;
};

export type Verdict = {
  accepted: number;
  /** The number of expected deliveries, and the number of those that ended correctly. */
  expected: number;
  delivered: number;
  /** Deliveries of accepted events without a receipt or with a wrong end. */
  lost: number;
  /** Receipts of events that were never accepted, or accepted under another id. */
  unexpected: number;
  corrupt: number;
  /** Receipts beyond one for each attempt, and receipts after Postgres had recorded a 2xx. */
  duplicates: number;
  illegal: number;
  /** Attempts before their due time. */
  early: number;
  /**
   * The greatest lateness of first attempts, of retries and of attempts after an expired lease: ms after the due time,
   * or after the end of an outage at that time.
   */
  firstLateMs: number;
  firstLateP99Ms: number;
  retryLateMs: number;
  expiredLeaseLateMs: number;
  /** The first faults of each kind. */
  examples: string[];
};

const EXAMPLES_OF_EACH = 3;
/** Postgres has microseconds, but receivers have whole milliseconds. */
const CLOCK_GRAIN_MS = 2;
/** Retries that are later than this are listed as examples. */
const LATE_MS = 5_000;

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one check of each promise, in the order of the promises.
export function judge(evidence: Evidence): Verdict {
  const say = createExamples();
  const accepted = new Map<string, SentEvent>();
  for (const event of evidence.sent) if (event.eventId !== undefined) accepted.set(event.eventId, event);
  const receipts = groupBy(evidence.receipts, (receipt) => `${receipt.eventId} ${receipt.endpoint}`);
  const moves = groupBy(evidence.moves, (move) => `${move.eventId} ${move.endpoint}`);
  for (const list of receipts.values()) list.sort((a, b) => a.atMs - b.atMs);
  const lateness = createLateness(evidence.outages);
  const ends = { expected: 0, delivered: 0, lost: 0 };
  for (const [eventId, event] of accepted) {
    for (const endpoint of event.endpoints) {
      const name = `${eventId} ${endpoint}`;
      const came = receipts.get(name) ?? [];
      const last = moves.get(name)?.at(-1);
      const wanted = evidence.endsAs(endpoint);
      const isRight = endedAs(last?.to, wanted) && (!NEED_RECEIPTS.includes(wanted) || came.length > 0);
      ends.expected += 1;
      if (isRight) ends.delivered += 1;
      else ends.lost += 1;
      if (!isRight) say('lost', `${name}: ${came.length} receipts, ends as ${last?.to ?? 'nothing'}`);
      if (came[0] !== undefined) lateness.first(event.acceptedAtMs ?? 0, came[0].atMs);
    }
  }
  let early = 0;
  for (const [name, list] of moves) {
    early += lateness.retries(list, receipts.get(name) ?? [], (kind, words) => say(kind, `${name}: ${words}`));
  }
  return {
    accepted: accepted.size,
    ...ends,
    ...countReceipts(evidence, accepted, say),
    duplicates: countDuplicates(receipts, moves, say),
    illegal: countIllegal(evidence.moves, say),
    early,
    ...lateness.figures(),
    examples: say.all(),
  };
}

const NEED_RECEIPTS = ['delivered', 'dead_letter'];

function endedAs(status: string | undefined, wanted: string): boolean {
  if (wanted === 'lapsed' && status === undefined) return true;
  return wanted === 'lapsed' || wanted === 'any'
    ? /^(delivered|failed|dead_letter)$/.test(status ?? '')
    : status === wanted;
}

type Say = (kind: string, words: string) => void;

function createExamples(): Say & { all: () => string[] } {
  const kept = new Map<string, string[]>();
  const say: Say = (kind, words) => {
    const list = kept.get(kind) ?? [];
    if (list.length < EXAMPLES_OF_EACH) kept.set(kind, [...list, `${kind}: ${words}`]);
  };
  return Object.assign(say, { all: () => [...kept.values()].flat() });
}

function countReceipts({ sent, receipts }: Evidence, accepted: Map<string, SentEvent>, say: Say) {
  const unanswered = new Map(sent.filter((event) => event.eventId === undefined).map((event) => [event.hash, event]));
  const counts = { unexpected: 0, corrupt: 0 };
  for (const { eventId, endpoint, hash } of receipts) {
    // An event that got no response may still have been accepted.
    const event = accepted.get(eventId) ?? unanswered.get(hash);
    if (event === undefined || !event.endpoints.includes(endpoint)) {
      counts.unexpected += 1;
      say('unexpected', `${eventId} at ${endpoint}`);
    } else if (event.hash !== hash) {
      counts.corrupt += 1;
      say('corrupt', `${eventId} at ${endpoint}`);
    }
  }
  return counts;
}

function countDuplicates(receipts: Map<string, Receipt[]>, moves: Map<string, Move[]>, say: Say): number {
  let duplicates = 0;
  for (const [name, list] of receipts) {
    const attempts = new Set<number>();
    const delivered = moves.get(name)?.find((move) => move.to === 'delivered');
    const deliveredAtMs = delivered?.atMs ?? Number.POSITIVE_INFINITY;
    for (const { attempt, atMs } of list) {
      if (attempts.has(attempt) || atMs > deliveredAtMs + CLOCK_GRAIN_MS) {
        duplicates += 1;
        say(
          'duplicate',
          `${name}: attempt ${attempt} at ${new Date(atMs).toISOString()}; ${trail(moves.get(name) ?? [])}`,
        );
      }
      attempts.add(attempt);
    }
  }
  return duplicates;
}

const LEGAL: Record<string, readonly string[]> = {
  // To `delivering`: offered when its event was accepted (docs/adr/0021), or claimed at its creation (docs/adr/0008).
  '': ['pending', 'delivering'],
  // To `pending`: deferred. To `delivered`: a success that was settled after its lease was lost.
  pending: ['pending', 'delivering', 'delivered', 'failed'],
  delivering: ['delivering', 'delivered', 'scheduled_retry', 'failed', 'dead_letter', 'pending'],
  scheduled_retry: ['scheduled_retry', 'delivering', 'delivered', 'failed', 'pending'],
  failed: ['pending', 'delivered'],
  dead_letter: ['pending', 'delivered'],
  delivered: [],
};

function countIllegal(moves: readonly Move[], say: Say): number {
  let illegal = 0;
  for (const { eventId, endpoint, from, to } of moves) {
    if (LEGAL[from ?? '']?.includes(to)) continue;
    illegal += 1;
    say('illegal', `${eventId} ${endpoint}: ${from} to ${to}`);
  }
  return illegal;
}

/**
 * The lateness of each lost claim in a sequence: until the next request, or until the next claim if that was lost too.
 * `moves` begins with the first lost claim.
 */
function expiredLeaseLateness(
  moves: readonly Move[],
  receipts: readonly Receipt[],
  late: (dueMs: number, atMs: number) => number,
): number[] {
  const after = moves.findIndex((move) => move.to !== 'delivering');
  const claims = after === -1 ? moves : moves.slice(0, after);
  return claims.slice(1).map((again, index) => {
    const isLost = index + 2 < claims.length;
    const receipt = isLost ? undefined : receipts.find((one) => one.atMs >= again.atMs - CLOCK_GRAIN_MS);
    return late(claims[index]?.atMs ?? again.atMs, (receipt ?? again).atMs);
  });
}

function createLateness(outages: readonly Outage[]) {
  const firsts: number[] = [];
  const most = { retryLateMs: 0, expiredLeaseLateMs: 0 };
  const late = (dueMs: number, atMs: number): number => {
    const over = outages.filter((outage) => outage.fromMs <= atMs && outage.toMs >= dueMs);
    return atMs - Math.max(dueMs, ...over.map((outage) => Math.min(outage.toMs, atMs)));
  };
  return {
    first: (acceptedAtMs: number, atMs: number) => void firsts.push(late(acceptedAtMs, atMs)),
    /** Compares attempts with their due times. Returns the number of early attempts. */
    // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: each attempt is compared with the moves around it.
    retries(moves: readonly Move[], receipts: readonly Receipt[], tell: Say): number {
      let early = 0;
      // The delivery was claimed at its creation by a process that died.
      if (moves[0]?.to === 'delivering' && moves[1]?.to === 'delivering') {
        most.expiredLeaseLateMs = Math.max(most.expiredLeaseLateMs, ...expiredLeaseLateness(moves, receipts, late));
      }
      for (const [index, move] of moves.entries()) {
        const claim = moves[index + 1];
        if (move.dueAtMs === null || move.to === 'delivering' || claim?.to !== 'delivering') continue;
        if (move.dueAtMs >= LINE_MS) continue;
        // A request never arrives before its claim. The margin is the resolution of the clocks.
        const receipt = receipts.find((one) => one.atMs >= claim.atMs - CLOCK_GRAIN_MS);
        if (receipt === undefined) continue;
        if (receipt.atMs < move.dueAtMs - CLOCK_GRAIN_MS) {
          early += 1;
          tell('early', `attempt ${receipt.attempt} by ${Math.round(move.dueAtMs - receipt.atMs)} ms: ${trail(moves)}`);
        }
        if (moves[index + 2]?.to === 'delivering') {
          most.expiredLeaseLateMs = Math.max(
            most.expiredLeaseLateMs,
            ...expiredLeaseLateness(moves.slice(index + 1), receipts, late),
          );
        } else if (move.to === 'scheduled_retry') {
          const lateMs = late(move.dueAtMs, receipt.atMs);
          if (lateMs > LATE_MS) tell('late', `attempt ${receipt.attempt} by ${Math.round(lateMs)} ms: ${trail(moves)}`);
          most.retryLateMs = Math.max(most.retryLateMs, lateMs);
        }
      }
      return early;
    },
    figures: () => ({ ...most, firstLateMs: quantile(firsts, 1), firstLateP99Ms: quantile(firsts, 0.99) }),
  };
}

/** The moves of a delivery, in seconds after its first move. */
function trail(moves: readonly Move[]): string {
  const seconds = (ms: number | null) => (ms === null ? '–' : ((ms - (moves[0]?.atMs ?? 0)) / 1_000).toFixed(2));
  return moves.map(({ to, atMs, dueAtMs }) => `${to} at ${seconds(atMs)} until ${seconds(dueAtMs)}`).join(', ');
}

/** The value at a quantile; 0 if there are no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.max(0, sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0);
}

function groupBy<T>(list: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
