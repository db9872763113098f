import { newUuid } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';

/** Ids as stored in the tables. */
export type EndpointRow = { workspaceId: string; environmentId: string; endpointId: string };
export type DeliveryRow = EndpointRow & { deliveryId: string; eventId: string };

type Defaults = { isActive?: boolean; timeoutSeconds?: number | null; deletedAt?: Date | null };
type Given = Partial<Parameters<Db['delivery']['create']>[0]['data']> & {
  /**
   * The due time by Postgres' clock: 0 is due now, 60 is due in a minute, null has ended. For a delivering row it is
   * the end of its lease. Default 0.
   */
  dueInSeconds?: number | null;
  /** Sets the time of the event, and so of the delivery. */
  key?: string;
};

/** Inserts a workspace, an environment and an endpoint directly into the tables, for tests below the interface. */
export async function insertEndpoint(db: Db, given: Defaults = {}): Promise<EndpointRow> {
  const [workspaceId, environmentId, endpointId] = [newUuid(new Date()), newUuid(new Date()), newUuid(new Date())];
  await db.workspace.create({ data: { id: workspaceId, name: 'Acme', slug: workspaceId, plan: 'pro' } });
  await db.environment.create({ data: { id: environmentId, workspaceId, name: 'Production', slug: 'production' } });
  await db.endpoint.create({
    data: { id: endpointId, workspaceId, environmentId, url: 'https://receiver.test/', ...given },
  });
  return { workspaceId, environmentId, endpointId };
}

/** Inserts an event with its one delivery to the endpoint. */
export async function insertDelivery(db: Db, endpoint: EndpointRow, given: Given = {}): Promise<DeliveryRow> {
  const { dueInSeconds = 0, key = newUuid(new Date()), ...columns } = given;
  const { workspaceId, environmentId, endpointId } = endpoint;
  const event = { workspaceId, environmentId, eventType: 'order.created', contentType: 'application/json' };
  await db.event.create({
    data: { ...event, id: key, payload: Buffer.from('sealed'), payloadSize: 6, published: true },
  });
  const failed = columns.status === 'failed' || columns.status === 'dead_letter';
  const reason = failed ? { failureReason: 'retries_exhausted' } : {};
  const data = { id: key, eventId: key, workspaceId, environmentId, endpointId, eventType: 'order.created' };
  await db.delivery.create({ data: { ...data, ...reason, ...columns } });
  await db.$executeRaw`
    update delivery set
      due_at = now() + make_interval(secs => case when status = 'delivering' then least(${dueInSeconds}::float8, 0)
        else ${dueInSeconds}::float8 end),
      leased_until = case when status = 'delivering' then now() + make_interval(secs => ${dueInSeconds}::float8) end
    where id = ${key}::uuid`;
  return { ...endpoint, deliveryId: key, eventId: key };
}
