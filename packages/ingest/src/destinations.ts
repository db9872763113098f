import { notFound } from '@posthorn/contract/api-error';
import { externalId } from '@posthorn/contract/applications';
import { eventTypeName } from '@posthorn/contract/event-types';
import { fieldPath } from '@posthorn/contract/field-path';
import { fromId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { createAgedCache } from '@posthorn/runtime/aged-cache';
import type { Clock } from '@posthorn/runtime/clock';
import type { SealedSearchKey } from '@posthorn/search/tokens';
import type { SearchKey } from '@posthorn/search/values';
import type { Sender } from './ingest-input.ts';

/**
 * Looks up the destinations of events. Its cache entries are younger than the second within which a change takes
 * effect.
 */
export type Destinations = {
  /** The event type in the key's environment; `not_found` if the workspace has no such type. */
  requireEventType(holder: Sender, eventType: string): Promise<EventTypeThere>;
  /** The application named by `app_…` or `ext:…`; `not_found` otherwise. */
  requireApplication(holder: Sender, reference: string): Promise<string>;
  /**
   * The key of the endpoint named by `ep_…` or `ext:…`; `not_found` if it is in another environment, or does not belong
   * to the named application.
   */
  requireEndpoint(holder: Sender, endpointId: string, applicationId: string | null): Promise<string>;
};

export type EventTypeThere = {
  published: boolean;
  /** Null if payloads are not checked. */
  check: { eventTypeId: string; schemaRevision: string; mode: 'warn' | 'reject' } | null;
  /** The values by which the type's events are found, and the key of their tokens; null without search keys. */
  search: { keys: SearchKey[]; key: SealedSearchKey } | null;
};

/**
 * The age limit of a cached destination: a change takes effect within one second of its answer (docs/interface.md, When
 * a change takes hold).
 */
const MAX_AGE_MS = 800;

export function createDestinations(db: Db, clock: Clock): Destinations {
  const cache = { clock, maxAgeMs: MAX_AGE_MS, maxEntries: 10_000 };
  // Only published types are cached, so a type that has just been published is found at once.
  const findPublished = createAgedCache({
    ...cache,
    load: async (name: string) => {
      const [workspaceId = '', environmentId = '', eventType = ''] = name.split(' ');
      const found = await loadEventType(db, { workspaceId, environmentId, eventType });
      return found?.published === true ? found : undefined;
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
    load: async (name: string) => {
      const [environmentId = '', reference = ''] = splitOnce(name);
      return loadEndpoint(db, environmentId, reference);
    },
  });

  /** The reference for an error message. Suggests `ext:` if the reference is the externalId of an application. */
  const hintOf = async (workspaceId: string, reference: string) => {
    const named = fieldPath([reference]);
    const isExternalId = (await loadApplication(db, workspaceId, `ext:${reference}`)) !== undefined;
    return isExternalId ? `${named}; did you mean "ext:${named}"?` : named;
  };

  return {
    async requireEventType({ workspaceId, environmentId }, eventType) {
      // No event type has a name of another form, and Postgres refuses some such texts.
      if (!eventTypeName.safeParse(eventType).success) throw notFound('Event type', fieldPath([eventType]));
      const published = await findPublished(`${workspaceId} ${environmentId} ${eventType}`);
      const found = published ?? (await loadEventType(db, { workspaceId, environmentId, eventType }));
      if (found === undefined) throw notFound('Event type', eventType);
      return found;
    },
    async requireApplication({ workspaceId }, reference) {
      const application = await findApplication(`${workspaceId} ${reference}`);
      if (application === undefined) throw notFound('Application', await hintOf(workspaceId, reference));
      return application;
    },
    async requireEndpoint({ environmentId }, endpointId, applicationId) {
      const endpoint = await findEndpoint(`${environmentId} ${endpointId}`);
      if (endpoint === undefined) throw notFound('Endpoint');
      if (applicationId !== null && endpoint.applicationId !== applicationId) throw notFound('Endpoint');
      return endpoint.id;
    },
  };
}

type EventTypeName = { workspaceId: string; environmentId: string; eventType: string };

async function loadEventType(
  db: Db,
  { workspaceId, environmentId, eventType }: EventTypeName,
): Promise<EventTypeThere | undefined> {
  const rows = await db.$queryRaw<StoredType[]>`
    select p.event_type_id is not null as published,
      case when t.schema is not null and m.mode is not null
        then json_build_object('eventTypeId', t.id, 'schemaRevision', t.schema_revision, 'mode', m.mode) end as check,
      t.search_keys as "searchKeys", k.id as "searchKeyId", k.sealed as "searchKeySealed"
    from event_type t
    left join published_event_type p on p.event_type_id = t.id and p.environment_id = ${environmentId}::uuid
    left join event_type_schema_mode m on m.event_type_id = t.id and m.environment_id = ${environmentId}::uuid
    left join workspace_search_key k
      on t.search_keys is not null and k.workspace_id = t.workspace_id and k.replaced_at is null
    where t.workspace_id = ${workspaceId}::uuid and t.name = ${eventType}`;
  return rows[0] && presentType(rows[0]);
}

type StoredType = Pick<EventTypeThere, 'published' | 'check'> & { searchKeys: SearchKey[] | null } & (
    | { searchKeyId: string; searchKeySealed: Uint8Array }
    | { searchKeyId: null; searchKeySealed: null }
  );

function presentType({ published, check, searchKeys, ...stored }: StoredType): EventTypeThere {
  if (searchKeys === null || stored.searchKeyId === null) return { published, check, search: null };
  const key = { id: stored.searchKeyId, sealed: stored.searchKeySealed };
  return { published, check, search: { keys: searchKeys, key } };
}

async function loadApplication(db: Db, workspaceId: string, reference: string): Promise<string | undefined> {
  const which = namedBy('app', reference);
  if (which === undefined) return undefined;
  const row = await db.application.findFirst({
    where: { ...which, workspaceId, deletedAt: null },
    select: { id: true },
  });
  return row?.id;
}

/** An endpoint of the environment, found by `ep_…` or by `ext:` and its externalId. */
async function loadEndpoint(db: Db, environmentId: string, reference: string) {
  const which = namedBy('ep', reference);
  if (which === undefined) return undefined;
  // An agent gets only the events that it has subscribed to.
  const where = { ...which, environmentId, deletedAt: null, isTemporary: false };
  return (await db.endpoint.findFirst({ where, select: { id: true, applicationId: true } })) ?? undefined;
}

/** Undefined for a name that nothing can have. Postgres refuses some of those. */
function namedBy(prefix: 'app' | 'ep', reference: string): { id: string } | { externalId: string } | undefined {
  if (reference.startsWith('ext:')) {
    const name = externalId.safeParse(reference.slice(4));
    return name.success ? { externalId: name.data } : undefined;
  }
  const id = fromId(prefix, reference);
  return id === undefined ? undefined : { id };
}

function splitOnce(name: string): string[] {
  const at = name.indexOf(' ');
  return [name.slice(0, at), name.slice(at + 1)];
}
