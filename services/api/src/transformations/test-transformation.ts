import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { testTransformationAnswer, testTransformationBody } from '@posthorn/contract/transformations';
import { requireKind } from '@posthorn/destinations/kinds';
import { allowedFor, eventFor } from '@posthorn/messages/transform-event';
import type { Tried } from '@posthorn/transform/open-transformer';
import type { z } from 'zod';
import { endpointKeyOf } from '../endpoints/endpoint-reference.ts';
import { requireEndpointKey } from '../endpoints/endpoints.ts';
import { givenPayload, testPayload } from '../endpoints/test-payload.ts';
import { requireEventType, visibleTypes } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { tooBusy } from './check-transformation.ts';

/** Runs a transformation for an event that is made up, and returns what it makes. Nothing is stored or sent. */
export async function testTransformation(
  ctx: WorkspaceContext,
  { body, given }: { body: z.output<typeof testTransformationBody>; given: Buffer },
): Promise<z.input<typeof testTransformationAnswer>> {
  const { code, eventTypeId, endpointId } = body;
  const eventType =
    eventTypeId === undefined ? null : await requireEventType(ctx, ctx.db, eventTypeId, visibleTypes(ctx));
  const payload = givenPayload(ctx, given) ?? testPayload(ctx, eventType?.example);
  const place = endpointId === undefined ? undefined : await placeOf(ctx, endpointId);
  const event = eventFor(
    {
      eventId: newUuid(ctx.clock.now()),
      eventType: eventType?.name ?? null,
      contentType: 'application/json',
      body: payload,
    },
    { applicationId: place?.applicationId ?? null, endpoint: place?.endpoint ?? NO_ENDPOINT },
  );
  const tried = await ctx.transformer.attempt(ctx.claimant, { code, event, allows: place?.allows ?? ALL });
  if ('kind' in tried) throw tooBusy();
  return presented(tried);
}

const ALL = { headers: true, path: true };
const NO_ENDPOINT = { id: 'ep_00000000000000000000000000', metadata: {} };

async function placeOf(ctx: WorkspaceContext, reference: string) {
  const key = await endpointKeyOf(ctx, ctx.db, reference, undefined, null);
  const id = key === undefined ? reference : toId('ep', key);
  const endpointId = await requireEndpointKey(ctx, id);
  const row = await ctx.db.endpoint.findUniqueOrThrow({
    where: { id: endpointId },
    select: { type: true, url: true, applicationId: true, metadata: true, config: true, authUsername: true },
  });
  const endpoint = { id, metadata: row.metadata as Record<string, string> };
  // The API, which is the only writer, has checked the config against the contract.
  const { oauth2 } = row.config as EndpointConfig;
  const hasPassword = row.authUsername !== null;
  const allows = allowedFor(requireKind(row.type), { url: row.url, hasPassword, oauth2 });
  return { applicationId: row.applicationId, endpoint, allows };
}

function presented({ outcome, logs, durationMs }: Tried): z.input<typeof testTransformationAnswer> {
  const nothing = { body: null, contentType: null, headers: {}, path: null, reason: null, error: null };
  const facts = { ...nothing, logs, durationMs: Math.round(durationMs * 100) / 100 };
  switch (outcome.kind) {
    case 'made': {
      const { body, contentType, headers, path } = outcome;
      return { ...facts, result: 'sent', body: body.toString('utf8'), contentType, headers, path };
    }
    case 'cancelled':
      return { ...facts, result: 'cancelled', reason: outcome.reason };
    case 'failed': {
      const { message, line, column } = outcome;
      return { ...facts, result: 'failed', error: { message, line, column } };
    }
  }
}
