import type { FieldProblem } from '@posthorn/contract/errors';
import { batchEnvelope, batchItem } from '@posthorn/contract/ingest-batch';
import { type Ingest, type IngestAnswer, type IngestInput, targetOf } from '@posthorn/ingest/ingest-input';
import { parseInput } from '../operation/parse.ts';
import { parseWellFormedJson } from '../transport/body.ts';
import { givenTwice } from '../transport/changed-values.ts';
import { ApiError } from '../transport/error.ts';
import { toApiError } from '../transport/error-handler.ts';
import { type ItemBytes, itemsOf } from './batch-data.ts';

export type BatchDeps = {
  ingest: Ingest;
  /** The limit for one event's payload. */
  maxPayloadBytes: number;
  /** Called for each item that failed by a fault of the service, if another item was stored. */
  onFault: (error: unknown) => void;
};

/** The properties that all events of a batch share. */
export type BatchSource = Pick<IngestInput, 'holder' | 'linkedTraceparent'>;

export type BatchRequest = BatchSource & {
  /** Takes the events from the caller's rate limit; throws `rate_limited`. */
  spend: (events: number) => void;
};

/** The result of a refused event. It does not stop the other events. */
export type BatchRefusal = { error: { code: string; message: string; details?: readonly FieldProblem[] } };

/** Ingests many events, each like a request of its own with `application/json`. Answers in the order of the events. */
export function createBatch(deps: BatchDeps) {
  return async ({ spend, ...source }: BatchRequest, body: Buffer): Promise<(IngestAnswer | BatchRefusal)[]> => {
    const { events } = parseInput(batchEnvelope, parseWellFormedJson(body));
    const { items, repeated } = itemsOf(body);
    if (repeated !== undefined) throw givenTwice(repeated);
    spend(events.length);
    const serial = createSerialByKey();
    const settled = await Promise.allSettled(
      events.map(async (event, index) => {
        const input = toInput(deps, event, { ...source, ...items[index] });
        return serial(namesOf(input), () => deps.ingest(input));
      }),
    );
    const faults = settled.flatMap((one) => (one.status === 'rejected' && !isRefusal(one.reason) ? [one.reason] : []));
    // If faults of the service left nothing stored, the caller may send the whole batch again.
    if (faults.length > 0 && settled.every((one) => one.status === 'rejected')) throw faults[0];
    for (const fault of faults) deps.onFault(fault);
    return settled.map((one) => (one.status === 'fulfilled' ? one.value : toRefusal(one.reason)));
  };
}

function toInput(
  { maxPayloadBytes }: BatchDeps,
  event: unknown,
  { data: body = Buffer.alloc(0), repeated, ...source }: BatchSource & Partial<ItemBytes>,
): IngestInput {
  const item = parseInput(batchItem, event);
  if (repeated !== undefined) throw givenTwice(repeated);
  if (body.length > maxPayloadBytes) {
    const message = `data must be at most ${maxPayloadBytes.toLocaleString('en')} bytes`;
    throw new ApiError('payload_too_large', message);
  }
  return {
    ...source,
    target: targetOf(item),
    idempotencyKey: item.idempotencyKey,
    application: item.applicationId,
    orderingKey: item.orderingKey,
    deliverAt:
      item.deliverAt === undefined ? undefined : { name: 'deliverAt', field: 'deliverAt', text: item.deliverAt },
    contentType: 'application/json',
    body,
  };
}

function namesOf({ idempotencyKey, orderingKey }: IngestInput): string[] {
  return [
    ...(idempotencyKey === undefined ? [] : [`idempotency ${idempotencyKey}`]),
    ...(orderingKey === undefined ? [] : [`order ${orderingKey}`]),
  ];
}

/**
 * Runs works that share a name in order. So the first item of a batch with an idempotency key gets the key, and the
 * items of an ordering key are accepted one after the other.
 */
function createSerialByKey() {
  const last = new Map<string, Promise<unknown>>();
  return <Result>(names: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    if (names.length === 0) return work();
    const result = Promise.allSettled(names.map((name) => last.get(name))).then(work);
    for (const name of names) last.set(name, result);
    return result;
  };
}

function toRefusal(reason: unknown): BatchRefusal {
  const { code, message, details } = toApiError(reason);
  return { error: details === undefined ? { code, message } : { code, message, details } };
}

function isRefusal(reason: unknown): boolean {
  return reason instanceof ApiError && reason.code !== 'internal_error' && reason.code !== 'unavailable';
}
