import type { Db } from '@posthorn/db/client';
import { among } from '@posthorn/db/uuid-range';
import type { DeliverJob } from '@posthorn/queue/jobs';
import { createBatcher } from '@posthorn/runtime/batch';
import type { PayloadMemory } from '../admission/payload-memory.ts';
import type { Slots } from '../admission/slots.ts';
import type { Later } from './defer-delivery.ts';

export type MemoryDeps = { payloadMemory: PayloadMemory; returnSeconds: Slots['returnSeconds'] };

/**
 * Reserves memory for a payload that the claim left out. If there is none, the delivery is due later, at a return time
 * of its own endpoint. Return times of the whole process would let one workspace's deliveries delay another's.
 */
export async function reserveMemory(
  { payloadMemory, returnSeconds }: MemoryDeps,
  job: DeliverJob,
  bytes: number,
): Promise<{ kind: 'reserved'; free: () => void } | { kind: 'later'; later: Later }> {
  const free = await payloadMemory.reserve({ workspaceId: job.workspaceId, bytes });
  if (free !== undefined) return { kind: 'reserved', free };
  const delaySeconds = returnSeconds(job);
  return { kind: 'later', later: { delaySeconds, reason: 'payload_memory' } };
}

/** A payload that a claim left out because it is large. */
export type LargePayload = { eventId: string; workspaceId: string; bytes: number };

/** Reads a sealed payload; undefined if retention has deleted its event since the claim. */
export type ReadLargePayload = (payload: LargePayload) => Promise<Uint8Array | undefined>;

/** While payloads are read, they exist several times: as text, as bytes, and decrypted. */
const MAX_BYTES_AT_ONCE = 2 * 1_048_576;

/** Reads each event of a batch once. Workspaces take turns. */
export function createReadLargePayload(db: Pick<Db, '$queryRaw'>): ReadLargePayload {
  return createBatcher<LargePayload, Uint8Array | undefined>({
    async run(payloads) {
      const eventIds = [...new Set(payloads.map(({ eventId }) => eventId))];
      const rows = await db.$queryRaw<{ id: string; payload: Uint8Array | null }[]>`
        select id, payload from event where ${among('id', eventIds)}`;
      const byId = new Map(rows.map(({ id, payload }) => [id, payload ?? undefined]));
      return payloads.map(({ eventId }) => byId.get(eventId));
    },
    maxItems: 100,
    weight: { of: ({ bytes }) => bytes, most: MAX_BYTES_AT_ONCE },
    lane: ({ workspaceId }) => workspaceId,
    maxInFlight: 2,
  });
}
