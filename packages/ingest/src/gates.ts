import { ApiError } from '@posthorn/contract/api-error';
import { createGate, type Gate, type GateOptions } from '@posthorn/runtime/gate';

/** A gate, and the name in messages for the work behind it. */
export type GateRow = Omit<GateOptions, 'refusal'> & {
  /** In the plural, as in "Too many large reads of this workspace are under way". */
  what: string;
  /** The error codes when there is no room: for the claimant alone, or in the whole process. Default: `unavailable`. */
  code?: { claimant: 'rate_limited' | 'unavailable'; all: 'rate_limited' | 'unavailable' };
};

/** Equals the longest wait for a connection to Postgres. */
export const FOR_MS = 5_000;
export const BUSY = { claimant: 'unavailable', all: 'unavailable' } as const;

/** The limits of ingestion in a process, for all tenants together. */
export const INGEST_GATES = {
  /** Events that were received and not yet answered. Each belongs to an open request, whose body has its own limit. */
  events: {
    what: 'events that are not stored yet',
    atOnce: 40_000,
    most: { owner: 20_000, workspace: 10_000 },
    code: BUSY,
  },
  /** Checks of payloads. An owner's checks run one at a time, with pauses: see payload-check.ts. */
  checks: {
    what: 'checks of payloads',
    atOnce: 10_000,
    most: { owner: 1, workspace: 1 },
    waiting: 10_000,
    waitingOfWorkspace: 1_000,
    forMs: FOR_MS,
    code: BUSY,
  },
  /** Schemas that are being compiled for these checks. Events wait in memory for them. */
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
