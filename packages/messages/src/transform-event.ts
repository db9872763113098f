import { isUtf8 } from 'node:buffer';
import { toId, uuidTime } from '@posthorn/contract/ids';
import { isPulled } from '@posthorn/destinations/kinds';
import type { Busy, TransformEvent, Transformer } from '@posthorn/transform/open-transformer';
import type { Allows, Outcome } from '@posthorn/transform/outcome';
import type { DeliveryTarget } from './endpoint-cache.ts';

export type ToTransform = {
  eventId: string;
  eventType: string | null;
  contentType: string | null;
  /** The payload as ingested. */
  body: Buffer;
};

/**
 * Runs the endpoint's transformation on an event (docs/interface.md, Transformations). Undefined if the endpoint has
 * none. Rejects only for an error of Posthorn.
 */
export async function transformEvent(
  transformer: Pick<Transformer, 'transform'>,
  target: DeliveryTarget,
  event: ToTransform,
): Promise<Outcome | Busy | undefined> {
  const { transformation, workspaceId, endpointId } = target;
  if (transformation === null) return undefined;
  const { code, applicationId, metadata, ownerId } = transformation;
  return transformer.transform(
    { ownerId, workspaceId, endpointId },
    {
      code,
      event: eventFor(event, { applicationId, endpoint: { id: toId('ep', endpointId), metadata } }),
      allows: allowedFor(target.place.kind, {
        ...{ url: target.url, hasPassword: target.authorization !== null, oauth2: target.place.oauth2 },
      }),
    },
  );
}

/** The event that the transformation's code gets. */
export function eventFor(
  { eventId, eventType, contentType, body }: ToTransform,
  { applicationId, endpoint }: { applicationId: string | null; endpoint: TransformEvent['endpoint'] },
): TransformEvent {
  return {
    id: toId('msg', eventId),
    type: eventType,
    createdAt: uuidTime(eventId).toISOString(),
    applicationId: applicationId === null ? null : toId('app', applicationId),
    contentType,
    body: isUtf8(body) ? body.toString('utf8') : null,
    endpoint,
  };
}

/** A transformation may set headers only where the endpoint sends requests, and a path only where it has a URL. */
export function allowedFor(
  kind: Parameters<typeof isPulled>[0] & { hasUrl: boolean; section: { key: string } | null },
  { url, hasPassword, oauth2 }: { url: string; hasPassword: boolean; oauth2: unknown },
): Allows {
  const hasAuthorization = hasPassword || oauth2 !== undefined;
  return { headers: !isPulled(kind) && kind.section?.key !== 'destination', path: kind.hasUrl, url, hasAuthorization };
}

/** The error of an attempt whose transformation failed. */
export function transformationError({ message, line, column }: Extract<Outcome, { kind: 'failed' }>): string {
  if (line === null) return message;
  return `${message} (line ${line}${column === null ? '' : `, column ${column}`})`;
}
