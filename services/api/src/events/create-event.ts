import type { createEventBody } from '@posthorn/contract/ingest-batch';
import { targetOf } from '@posthorn/ingest/ingest-input';
import { limitsOf } from '@posthorn/ingest/quota-limits';
import type { z } from 'zod';
import { requireEnvironment } from '../environments/environments.ts';
import { memberBytes } from '../ingest/batch-data.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';

/** `given` are the bytes of the body: the payload in it is stored as it was written. `key` is the `Idempotency-Key`. */
type Given = { body: z.output<typeof createEventBody>; given: Buffer; key: string | undefined };

/**
 * Sends an event without an API key (docs/interface.md, Event), as ingestion does: with its checks, its quotas and its
 * idempotency keys.
 */
export async function createEvent(ctx: WorkspaceContext, { body, given, key = body.idempotencyKey }: Given) {
  if (body.idempotencyKey !== undefined && key !== body.idempotencyKey) {
    throw invalid('idempotencyKey must equal the Idempotency-Key of the request', 'idempotencyKey');
  }
  const environment = await requireEnvironment(ctx, ctx.db, body.environmentId);
  const answer = await ctx.ingest({
    holder: {
      workspaceId: ctx.workspace.id,
      environmentId: environment.id,
      ownerId: ctx.claimant.ownerId,
      requireApplication: environment.requireApplication,
      limits: limitsOf(ctx.workspace, ctx.settings.quotas),
    },
    target: targetOf(body),
    idempotencyKey: key,
    application: body.applicationId,
    orderingKey: body.orderingKey,
    deliverAt:
      body.deliverAt === undefined ? undefined : { name: 'deliverAt', field: 'deliverAt', text: body.deliverAt },
    contentType: 'application/json',
    body: givenPayload(ctx, given),
    linkedTraceparent: undefined,
  });
  return { deliveryId: null, endpointId: null, ...answer };
}

function givenPayload({ settings: { maxPayloadBytes } }: WorkspaceContext, given: Buffer): Buffer {
  const payload = memberBytes(given, 'data') ?? Buffer.alloc(0);
  if (payload.length <= maxPayloadBytes) return payload;
  throw new ApiError('payload_too_large', `data must be at most ${maxPayloadBytes.toLocaleString('en')} bytes`);
}
