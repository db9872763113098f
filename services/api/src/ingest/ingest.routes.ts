import type { FieldProblem } from '@posthorn/contract/errors';
import { deliverAt, idempotencyKey, isJsonType, orderingKey } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import { visibleAscii } from '@posthorn/contract/primitives';
import type { Ingest, IngestInput } from '@posthorn/ingest/ingest-input';
import type { Clock } from '@posthorn/runtime/clock';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ZodType } from 'zod';
import type { createApiKeyAuth, KeyHolder } from '../auth/api-key.ts';
import { refuseMethod } from '../operation/mount.ts';
import { createNearHeaderCheck } from '../operation/near-headers.ts';
import { examineQuery, refuseExamined } from '../operation/parse.ts';
import { answerJson } from '../transport/answer.ts';
import { createReadBytes, type ReadBytes, readBehind, refuseOtherCharset } from '../transport/body.ts';
import type { TakeBodyRoom } from '../transport/body-room.ts';
import { ApiError } from '../transport/error.ts';
import type { createBatch } from './batch.ts';

export type IngestRouterDeps = {
  authenticate: ReturnType<typeof createApiKeyAuth>;
  clock: Clock;
  /** Takes this many events from the limits of the key and the workspace. For 0, one event must be left. */
  spend: (response: Response, holder: KeyHolder, events: number) => void;
  takeBodyRoom: TakeBodyRoom;
  ingest: Ingest;
  ingestBatch: ReturnType<typeof createBatch>;
  maxPayloadBytes: number;
};

const OPTION_HEADERS = ['Idempotency-Key', 'X-Application-Id', 'X-Ordering-Key', 'X-Deliver-At'];
const nearHeaders = createNearHeaderCheck(OPTION_HEADERS);

/**
 * The ingestion interface. The body is the payload, so these rows are not in the management table: they read bytes, and
 * only after the API key is checked.
 */
export function createIngestRouter({
  authenticate,
  clock,
  spend,
  takeBodyRoom,
  ingest,
  ingestBatch,
  maxPayloadBytes,
}: IngestRouterDeps): Router {
  const readBatch = createReadBytes(LIMITS.batchBytes);
  const readPayload = createReadBytes(maxPayloadBytes);
  /** Reads the body, and then the holder of the key again: it may have changed while the body arrived. */
  const readFrom = async (
    request: Request,
    response: Response,
    { read, first }: { read: ReadBytes; first: KeyHolder },
  ) => {
    const { caller, body } = await readBehind(first, {
      clock,
      read: () => read(request, response, (arriving) => takeBodyRoom(response, first, arriving)),
      authenticate: () => authenticate(request),
    });
    return { holder: caller, body };
  };
  const handle =
    (operation: string, target: (request: Request) => IngestInput['target']): RequestHandler =>
    async (request, response) => {
      response.locals.operation = operation;
      const first = await authenticate(request);
      response.locals.actor = first.apiKeyId;
      response.locals.workspaceId = first.workspaceId;
      response.locals.claimant = first;
      spend(response, first, 1);
      const options = optionsOf(request);
      const { holder, body } = await readFrom(request, response, { read: readPayload, first });
      const answer = await ingest({
        holder,
        sentPath: request.path,
        target: target(request),
        ...options,
        contentType: request.get('content-type'),
        body,
        linkedTraceparent: request.get('traceparent'),
      });
      if (answer.duplicate) response.set('Idempotent-Replayed', 'true');
      answerJson(response, 202, answer);
    };

  const handleBatch: RequestHandler = async (request, response) => {
    response.locals.operation = 'ingestBatch';
    const first = await authenticate(request);
    response.locals.actor = first.apiKeyId;
    response.locals.workspaceId = first.workspaceId;
    response.locals.claimant = first;
    // Checked before the body is read. The events are taken from the limit once they are counted.
    spend(response, first, 0);
    const given = OPTION_HEADERS.filter((name) => request.get(name) !== undefined);
    refuseWrong(
      request,
      given.map((name) => problemOf(name, 'is not for a batch: its events carry their own options')),
    );
    const { holder, body } = await readFrom(request, response, { read: readBatch, first });
    if (body.length > 0 && !isJsonType(request.get('content-type'))) {
      throw new ApiError('unsupported_media_type', 'A batch must be sent as application/json');
    }
    refuseOtherCharset(request);
    const results = await ingestBatch(
      {
        holder,
        linkedTraceparent: request.get('traceparent'),
        spend: (events) => spend(response, holder, events),
      },
      body,
    );
    answerJson(response, 202, { results });
  };

  const router = Router({ caseSensitive: true, strict: true });
  router.post('/api/ingest/batch', handleBatch);
  router.post(
    '/api/ingest/event/:eventType',
    handle('ingestEvent', (request) => ({ kind: 'event_type', name: pathValue(request, 'eventType') })),
  );
  router.post(
    '/api/ingest/:endpointId',
    handle('ingestDirectEvent', (request) => ({ kind: 'endpoint', id: pathValue(request, 'endpointId') })),
  );
  router.all(['/api/ingest/event/:eventType', '/api/ingest/:endpointId'], refuseMethod(['POST']));
  return router;
}

const applicationReference = visibleAscii(LIMITS.applicationReferenceCharacters);

/** The options of an event. One error names everything that is wrong with them. */
function optionsOf(
  request: Request,
): Pick<IngestInput, 'idempotencyKey' | 'application' | 'orderingKey' | 'deliverAt'> {
  const faults: FieldProblem[] = [];
  const option = (name: string, schema: ZodType<string>): string | undefined => {
    const value = request.get(name);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (!parsed.success) faults.push(problemOf(name, parsed.error.issues[0]?.message));
    return parsed.data;
  };
  const time = 'X-Deliver-At';
  const options = {
    idempotencyKey: option('Idempotency-Key', idempotencyKey),
    application: option('X-Application-Id', applicationReference),
    orderingKey: option('X-Ordering-Key', orderingKey),
  };
  const text = option(time, deliverAt);
  refuseWrong(request, faults);
  return { ...options, deliverAt: text === undefined ? undefined : { name: time, field: `header.${time}`, text } };
}

/** Options are headers: ingestion has no query parameters. */
function refuseWrong(request: Request, faults: readonly FieldProblem[]): void {
  refuseExamined([examineQuery(undefined, request.query)], { faults, unknown: nearHeaders(request) });
}

function problemOf(header: string, rule: string | undefined): FieldProblem {
  return { field: `header.${header}`, message: `${header} ${rule}` };
}

function pathValue(request: Request, name: string): string {
  const value = request.params[name];
  if (typeof value !== 'string') throw new ApiError('not_found', 'Route not found');
  return value;
}
