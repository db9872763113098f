import { ApiError } from '@posthorn/contract/api-error';
import { createGate, type Gate, type GateOptions } from '@posthorn/runtime/gate';

/** A gate, and what the messages call the work behind it. */
export type GateRow = Omit<GateOptions, 'refusal'> & {
  /** In plural, as in "Too many large reads of this workspace are under way". */
  what: string;
  /** The code when the process, and not the claimant alone, has no room. Default: `unavailable`. */
  code?: { claimant: 'rate_limited' | 'unavailable'; all: 'rate_limited' | 'unavailable' };
};

/** As long as the longest wait for a connection to Postgres. */
export const FOR_MS = 5_000;
export const BUSY = { claimant: 'unavailable', all: 'unavailable' } as const;

/** The limits of ingestion in a process, for all tenants together. */
export const INGEST_GATES = {
  /** The events between their arrival and their answer. Each is of a request under way, whose body has room below. */
  events: {
    what: 'events that are not stored yet',
    atOnce: 40_000,
    most: { owner: 20_000, workspace: 10_000 },
    code: BUSY,
  },
  /** Checks of payloads. Each owner's checks run one at a time, with pauses: see payload-check.ts. */
  checks: {
    what: 'checks of payloads',
    atOnce: 10_000,
    most: { owner: 1, workspace: 1 },
    waiting: 10_000,
    waitingOfWorkspace: 1_000,
    forMs: FOR_MS,
    code: BUSY,
  },
  /** Schemas that are compiled for these checks. Events wait in memory for them. */
  compilations: {
    what: 'schemas that are needed for the first time',
    atOnce: 10_000,
    most: { owner: 1, workspace: 1 },
    waiting: 1_000,
    waitingOfWorkspace: 20,
    code: BUSY,
  },
} as const satisfies Record<string, GateRow>;

export type IngestGates = Record<keyof typeof INGEST_GATES, Gate>;

export function createIngestGates(): IngestGates {
  const { events, checks, compilations } = INGEST_GATES;
  return { events: gateOf(events), checks: gateOf(checks), compilations: gateOf(compilations) };
}

export function gateOf({ what, code = { claimant: 'rate_limited', all: 'unavailable' }, ...options }: GateRow): Gate {
  return createGate({
    ...options,
    refusal(limit) {
      const message =
        limit === 'claimant'
          ? `Too many ${what} of this workspace are under way`
          : `The service is busy with ${what} of others`;
      return new ApiError(code[limit], `${message}; try again`, { 'Retry-After': '1' });
    },
  });
}
