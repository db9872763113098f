import { eventTypeName } from '@posthorn/contract/event-types';
import { fromId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { KeyHolder } from '../auth/api-key.ts';
import { notFound } from '../http/error.ts';

/**
 * Looks up the destinations of events, from a cache that is younger than the second in which a change must take effect.
 */
export type Destinations = {
  /** Whether the type is published in the key's environment; `not_found` when the workspace has no such type. */
  isPublished(holder: KeyHolder, eventType: string): Promise<boolean>;
  /** The application named by `app_…` or `ext:…`; `not_found` otherwise. */
  requireApplication(holder: KeyHolder, reference: string): Promise<string>;
  /**
   * The endpoint's id, if the endpoint is in the key's environment and in the application, when one is named; else
   * `not_found`.
   */
  requireEndpoint(holder: KeyHolder, endpointId: string, applicationId: string | null): Promise<string>;
};

/** A change takes effect within one second of its answer (docs/interface.md, When a change takes hold). */
const MOST_AGE_MS = 800;

export function createDestinations(db: Db, clock: Clock): Destinations {
  const cache = { clock, maxAgeMs: MOST_AGE_MS, maxEntries: 10_000 };
  // Only published types are cached: a type that has just been published is seen at once.
  const findPublished = createAgedCache({
    ...cache,
    load: async (name: string): Promise<true | undefined> => {
      const [environmentId = '', eventType = ''] = splitOnce(name);
      const count = await db.publishedEventType.count({ where: { environmentId, eventType: { name: eventType } } });
      return count > 0 ? true : undefined;
    },
  });
  const findApplication = createAgedCache({
    ...cache,
    load: async (name: string) => {
      const [workspaceId = '', reference = ''] = splitOnce(name);
      return loadApplication(db, workspaceId, reference);
    },
  });
  const findEndpoint = createAgedCache({
    ...cache,
    load: async (id: string) =>
      (await db.endpoint.findUnique({
        where: { id, deletedAt: null },
        select: { environmentId: true, applicationId: true },
      })) ?? undefined,
  });

  return {
    async isPublished({ workspaceId, environmentId }, eventType) {
      // No event type has a name of another form, and Postgres refuses some of these names.
      if (!eventTypeName.safeParse(eventType).success) throw notFound('Event type');
      if (await findPublished(`${environmentId} ${eventType}`)) return true;
      const known = await db.eventType.count({ where: { workspaceId, name: eventType } });
      if (known === 0) throw notFound('Event type');
      return false;
    },
    async requireApplication({ workspaceId }, reference) {
      const application = await findApplication(`${workspaceId} ${reference}`);
      if (application === undefined) throw notFound('Application');
      return application;
    },
    async requireEndpoint({ environmentId }, endpointId, applicationId) {
      const id = fromId('ep', endpointId);
      const endpoint = id === undefined ? undefined : await findEndpoint(id);
      if (id === undefined || endpoint?.environmentId !== environmentId) throw notFound('Endpoint');
      if (applicationId !== null && endpoint.applicationId !== applicationId) throw notFound('Endpoint');
      return id;
    },
  };
}

async function loadApplication(db: Db, workspaceId: string, reference: string): Promise<string | undefined> {
  const which = reference.startsWith('ext:') ? { externalId: reference.slice(4) } : { id: fromId('app', reference) };
  if ('id' in which && which.id === undefined) return undefined;
  const row = await db.application.findFirst({
    where: { ...which, workspaceId, deletedAt: null },
    select: { id: true },
  });
  return row?.id;
}

function splitOnce(name: string): string[] {
  const at = name.indexOf(' ');
  return [name.slice(0, at), name.slice(at + 1)];
}
