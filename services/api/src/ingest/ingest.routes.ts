import { deliverAt, idempotencyKey, isJsonType, orderingKey } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import { visibleAscii } from '@posthorn/contract/primitives';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ZodType } from 'zod';
import type { createApiKeyAuth, KeyHolder } from '../auth/api-key.ts';
import { answerJson } from '../http/answer.ts';
import { createReadBytes, refuseOtherCharset } from '../http/body.ts';
import type { TakeBodyRoom } from '../http/body-room.ts';
import { ApiError, invalid } from '../http/error.ts';
import { refuseMethod } from '../http/mount.ts';
import { createNearHeaderCheck } from '../http/near-headers.ts';
import { examineQuery, refuseExamined } from '../http/parse.ts';
import type { createBatch } from './batch.ts';
import type { Ingest, IngestInput } from './ingest-input.ts';

export type IngestRouterDeps = {
  authenticate: ReturnType<typeof createApiKeyAuth>;
  /** Takes this many events from the limits of the key and the workspace. For 0, one event must be left. */
  spend: (response: Response, holder: KeyHolder, events: number) => void;
  takeBodyRoom: TakeBodyRoom;
  ingest: Ingest;
  ingestBatch: ReturnType<typeof createBatch>;
  maxPayloadBytes: number;
};

const OPTION_HEADERS = ['Idempotency-Key', 'X-Application-Id', 'X-Ordering-Key', 'X-Deliver-At'];
const refuseNearHeaders = createNearHeaderCheck(OPTION_HEADERS);

/**
 * The ingestion interface. The body is the payload, so these rows are not in the management table: they read bytes, and
 * only after the API key is checked.
 */
export function createIngestRouter({
  authenticate,
  spend,
  takeBodyRoom,
  ingest,
  ingestBatch,
  maxPayloadBytes,
}: IngestRouterDeps): Router {
  const readBatch = createReadBytes(LIMITS.batchBytes);
  const readPayload = createReadBytes(maxPayloadBytes);
  const handle =
    (operation: string, target: (request: Request) => IngestInput['target']): RequestHandler =>
    async (request, response) => {
      response.locals.operation = operation;
      const holder = await authenticate(request);
      response.locals.actor = holder.apiKeyId;
      response.locals.workspaceId = holder.workspaceId;
      response.locals.claimant = holder;
      spend(response, holder, 1);
      refuseQuery(request);
      const body = await readPayload(request, response, (arriving) => takeBodyRoom(response, holder, arriving));
      const answer = await ingest({
        holder,
        path: request.path,
        target: target(request),
        idempotencyKey: option(request, 'Idempotency-Key', idempotencyKey),
        application: option(request, 'X-Application-Id', applicationReference),
        orderingKey: option(request, 'X-Ordering-Key', orderingKey),
        deliverAt: deliverAtOf(request),
        contentType: request.get('content-type'),
        body,
        linkedTraceparent: request.get('traceparent'),
      });
      if (answer.duplicate) response.set('Idempotent-Replayed', 'true');
      answerJson(response, 202, answer);
    };

  const handleBatch: RequestHandler = async (request, response) => {
    response.locals.operation = 'ingestBatch';
    const holder = await authenticate(request);
    response.locals.actor = holder.apiKeyId;
    response.locals.workspaceId = holder.workspaceId;
    response.locals.claimant = holder;
    // Checked before the body is read. The events are taken from the limit once they are counted.
    spend(response, holder, 0);
    refuseQuery(request);
    const option = OPTION_HEADERS.find((name) => request.get(name) !== undefined);
    if (option !== undefined)
      throw invalid(`${option} is not for a batch: its events carry their own options`, `header.${option}`);
    const body = await readBatch(request, response, (arriving) => takeBodyRoom(response, holder, arriving));
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

/** Options are headers: ingestion has no query parameters. */
function refuseQuery(request: Request): void {
  refuseExamined([examineQuery(undefined, request.query)]);
  refuseNearHeaders(request);
}

function deliverAtOf(request: Request): IngestInput['deliverAt'] {
  const name = 'X-Deliver-At';
  const text = option(request, name, deliverAt);
  return text === undefined ? undefined : { name, field: `header.${name}`, text };
}

function option(request: Request, name: string, schema: ZodType<string>): string | undefined {
  const value = request.get(name);
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw invalid(`${name} ${parsed.error.issues[0]?.message}`, `header.${name}`);
  return parsed.data;
}

function pathValue(request: Request, name: string): string {
  const value = request.params[name];
  if (typeof value !== 'string') throw new ApiError('not_found', 'Route not found');
  return value;
}
