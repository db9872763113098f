import { BUSY, FOR_MS, type GateRow, gateOf, INGEST_GATES } from '@posthorn/ingest/gates';
import { createGate, type Gate } from '@posthorn/runtime/gate';

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/** Bodies of at most this size have room of their own, so that large ones delay no event and no change of usual size. */
export const MAX_SMALL_BYTES = 16 * KIBIBYTE;

/**
 * The work that one API process does at once for all tenants together. Claimants take turns (see `createGate`): owners,
 * then their workspaces, then the portals of a workspace, which together have at most half of it, and each an eighth.
 * `npm run docs:generate` writes these numbers into docs/reference/limits.md. docs/interface/limits.md names some of
 * them.
 */
export const LIMITS_OF_PROCESS = {
  /**
   * A process has four connections for large reads, and a statement may take 5 s. So a read that waits behind reads
   * that hang is answered when they end: it gets its turn then, or is refused.
   */
  lists: {
    what: 'large reads',
    atOnce: 3,
    most: { owner: 2, workspace: 2 },
    waiting: 200,
    waitingOfWorkspace: 14,
    forMs: FOR_MS,
  },
  /**
   * The pages of lists with counts, schemas or examples, and of attempts. They have a place of their own: a list that
   * has begun its answer must not be refused because of `lists`. So only the first page of an answer waits at most `FOR_MS`.
   */
  pages: {
    what: 'lists with counts, schemas or attempts',
    atOnce: 2,
    most: { owner: 1, workspace: 1 },
    waiting: 1_000,
    waitingOfWorkspace: 99,
  },
  /** A name server may keep each look-up for 2 s. */
  lookups: {
    what: 'look-ups of names',
    atOnce: 200,
    most: { workspace: 20 },
    share: 1,
    waiting: 2_000,
    waitingOfWorkspace: 100,
  },
  /** One at a time computes, so that tests of filters take at most half of a process. */
  filters: {
    what: 'tests of filters',
    atOnce: 2,
    most: { owner: 1, workspace: 1 },
    waiting: 200,
    waitingOfWorkspace: 40,
  },
  /**
   * Two of the six connections for management stay free for credentials and reads, even while locks of other sessions
   * block every change. The changes of a workspace wait for one another in any case, at the head of its audit chain.
   */
  changes: {
    what: 'changes',
    atOnce: 4,
    most: { owner: 2, workspace: 2 },
    share: 1,
    waiting: 400,
    waitingOfWorkspace: 100,
    forMs: FOR_MS,
    code: BUSY,
  },
  /** Dry runs of documents. Each also takes a turn of `changes`, for some seconds: so others stay for the changes. */
  plans: {
    what: 'dry runs of documents',
    atOnce: 2,
    most: { owner: 1, workspace: 1 },
    waiting: 200,
    waitingOfWorkspace: 10,
    forMs: FOR_MS,
  },
  /** The calls of consumers that ask Postgres at this moment. One that waits for a message does not count. */
  pulls: {
    what: 'calls of consumers',
    atOnce: 8,
    most: { owner: 4, workspace: 4 },
    waiting: 1_000,
    waitingOfWorkspace: 250,
    forMs: FOR_MS,
    code: BUSY,
  },
  /** The calls of consumers that wait for a message. Each takes 15 KiB, and an endpoint has at most 20. */
  waits: { what: 'waiting calls of consumers', atOnce: 5_000, share: 1 },
  ...INGEST_GATES,
  /** Each hash of a password occupies a core, and one of the four threads that files and DNS share. 200 take about 2 s. */
  passwords: { what: 'passwords', atOnce: 2, waiting: 200, code: BUSY },
  /** Passwords that members give to others: one at a time, so that logins keep a turn. */
  passwordsOfMembers: {
    what: 'passwords of new members',
    atOnce: 1,
    waiting: 200,
    waitingOfWorkspace: 50,
  },
  /**
   * The bytes of bodies that are being read or processed: 64 MiB in all. Parsed values may take three times the size of
   * their body. A faster producer is slowed down, not refused: a body waits while earlier ones of its workspace are
   * stored. Ingestion has room of its own, which no portal can fill.
   */
  smallEvents: bodies('small bodies of events', 12 * MEBIBYTE),
  largeEvents: bodies('large bodies of events', 32 * MEBIBYTE),
  smallBodies: bodies('small bodies', 4 * MEBIBYTE),
  largeBodies: bodies('large bodies', 16 * MEBIBYTE),
} as const satisfies Record<string, GateRow>;

function bodies(what: string, atOnce: number) {
  return {
    what,
    atOnce,
    most: { owner: atOnce / 2, workspace: atOnce / 4 },
    waiting: 1_000,
    waitingOfWorkspace: 250,
    forMs: FOR_MS,
  };
}

export type Limits = Record<keyof typeof LIMITS_OF_PROCESS, Gate>;

export function createLimits(): Limits {
  const rows = Object.entries<GateRow>(LIMITS_OF_PROCESS);
  return Object.fromEntries(rows.map(([name, limit]) => [name, gateOf(limit)])) as Limits;
}

/** The gate of one row, shared by the whole process. */
export function createLimit(name: keyof typeof LIMITS_OF_PROCESS): Gate {
  return gateOf(LIMITS_OF_PROCESS[name]);
}

/** Runs the work of one key in order, one at a time. The work of different keys runs at once. */
export function createInOrder(): <Result>(key: string, work: () => Promise<Result>) => Promise<Result> {
  const unlimited = Number.POSITIVE_INFINITY;
  const refusal = () => new Error('work of a key is never refused');
  const gate = createGate({ atOnce: unlimited, most: { owner: 1 }, waiting: unlimited, refusal });
  return (key, work) => gate.run({ ownerId: key, workspaceId: key }, work);
}
