import type { Db } from '@posthorn/db/client';
import { presentDeliveries } from '../deliveries/present-delivery.ts';
import { presentAccepted } from '../events/present-accepted.ts';
import type { LiveMessage } from './stream.ts';

/** A message, with the fields that decide which streams show it. */
export type Change = {
  message: LiveMessage;
  environmentId: string;
  /** Null for an event that was not sent to one endpoint. */
  endpointId: string | null;
  applicationId: string | null;
};

/**
 * The changed deliveries and the accepted events of this workspace, as they are now. Every stream of the workspace gets
 * the same messages, so they have nothing from a payload.
 */
export async function readChanges(
  db: Db,
  workspaceId: string,
  { deliveryIds, eventIds }: { deliveryIds: string[]; eventIds: string[] },
): Promise<Change[]> {
  const deliveries = await db.delivery.findMany({
    where: { id: { in: deliveryIds }, workspaceId },
    orderBy: { updatedAt: 'asc' },
  });
  const wanted = new Set([...deliveries.map((row) => row.eventId), ...eventIds]);
  const events = await db.event.findMany({
    where: { id: { in: [...wanted] }, workspaceId },
    orderBy: { id: 'asc' },
    omit: { payload: true, contentType: true },
  });
  const endpointIds = [...deliveries, ...events].flatMap(({ endpointId }) => (endpointId === null ? [] : [endpointId]));
  const owners = await db.endpoint.findMany({
    where: { id: { in: [...new Set(endpointIds)] } },
    select: { id: true, applicationId: true },
  });
  const ownerOf = new Map(owners.map((row) => [row.id, row.applicationId]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  const shown = await presentDeliveries(db, deliveries, (row) => eventOf.get(row.eventId));
  const accepted = eventIds.flatMap((id) => eventOf.get(id) ?? []);
  return [
    ...accepted.map((event) => ({
      message: { event: 'event' as const, data: presentAccepted(event, undefined) },
      environmentId: event.environmentId,
      endpointId: event.endpointId,
      applicationId: event.applicationId ?? ownerOf.get(event.endpointId ?? '') ?? null,
    })),
    ...deliveries.flatMap((row, index) => {
      const data = shown[index];
      if (data === undefined) return [];
      const { environmentId, endpointId } = row;
      const applicationId = ownerOf.get(endpointId) ?? null;
      return [{ message: { event: 'delivery' as const, data }, environmentId, endpointId, applicationId }];
    }),
  ];
}
