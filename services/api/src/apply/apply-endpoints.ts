import type { DocumentEndpoint, WorkspaceChange } from '@posthorn/contract/apply';
import { fromId, toId } from '@posthorn/contract/ids';
import { isEventTypePattern } from '@posthorn/contract/subscriptions';
import { DEFAULT_KIND, kindOf } from '@posthorn/destinations/kinds';
import { createEndpoint, deleteEndpoint } from '../endpoints/endpoints.ts';
import { invalid } from '../transport/error.ts';
import { refuseMany } from './apply-applications.ts';
import { type Environments, environmentNamed } from './apply-environments.ts';
import type { EventTypes } from './apply-event-types.ts';
import { changed, fieldOf, fieldsOf, REDACTED } from './fields.ts';
import { type EndpointBefore, keyOf, type NamedEndpoint, readEndpoints, readKeptIds } from './read-endpoints.ts';
import { subscriptionOf } from './subscriptions.ts';
import { updateFromDocument } from './update-endpoint.ts';
import { note, REMOVED_AND_ONE, type Work } from './work.ts';

/** The environments and event types that the endpoints of a document may name. */
type Known = { environments: Environments; eventTypes: EventTypes };

/** Makes the endpoints as the document has them. Endpoints are removed first, so that there is room for new ones. */
export async function applyEndpoints(work: Work, known: Known): Promise<void> {
  const wanted = work.document.endpoints;
  if (wanted === undefined) return;
  const rows = await readEndpoints(work, known.environments);
  if (work.removes) await removeEndpoints(work, rows, known.environments);
  for (const [index, one] of wanted.entries()) {
    await work.attempt(['document', 'endpoints', index], () => applyEndpoint(work, one, { rows, known }));
  }
}

async function applyEndpoint(
  work: Work,
  one: DocumentEndpoint,
  { rows, known }: { rows: ReadonlyMap<string, EndpointBefore>; known: Known },
): Promise<void> {
  const environmentId = environmentNamed(known.environments, one.environment, ['environment']);
  const before = rows.get(keyOf(one));
  refuseMismatch(one, before);
  const named = { one, environmentId, eventTypeIds: requireTypes(work, one, known.eventTypes) };
  const fields =
    before === undefined ? await createFromDocument(work, named) : await updateFromDocument(work, named, before);
  const action = before === undefined ? 'create' : 'update';
  note(work, action, { kind: 'endpoint', key: one.externalId, environment: one.environment, fields });
}

/** Refuses another type or application of an existing endpoint, and a URL that is missing or not for the type. */
function refuseMismatch({ type, application, url }: DocumentEndpoint, before: EndpointBefore | undefined): void {
  if (before !== undefined && type !== undefined && type !== before.type) {
    throw invalid(`type cannot be changed: it is ${before.type}`, 'type');
  }
  const owner = before?.application?.externalId ?? null;
  if (before !== undefined && application !== undefined && application !== owner) {
    throw invalid(`application cannot be changed: it is ${owner ?? 'none'}`, 'application');
  }
  const kind = kindOf(before?.type ?? type ?? DEFAULT_KIND.type);
  if (before === undefined && kind?.hasUrl === true && url === undefined) throw invalid('url is required', 'url');
  if (kind?.hasUrl === false && url !== undefined) {
    throw invalid(`url of a ${kind.type} is given by the service`, 'url');
  }
}

function requireTypes({ document }: Work, { eventTypes = [] }: DocumentEndpoint, known: EventTypes) {
  const ids = new Map<string, string>();
  for (const [index, { name }] of eventTypes.entries()) {
    if (isEventTypePattern(name)) continue;
    const id = known.get(name);
    if (id !== undefined) ids.set(name, id);
    else {
      const at = `eventTypes[${index}]`;
      const isRefused = document.eventTypes?.some((one) => one.name === name) ?? false;
      throw invalid(`${at} ${isRefused ? 'is an event type with a fault' : 'must name an event type'}: ${name}`, at);
    }
  }
  return ids;
}

/**
 * Removes the endpoints that the document does not name. An endpoint of an application without an externalId stays: a
 * customer made it. That of an agent stays, too.
 */
async function removeEndpoints(
  work: Work,
  kept: ReadonlyMap<string, EndpointBefore>,
  environments: Environments,
): Promise<void> {
  const { ctx, transaction } = work;
  const ids = [...[...kept.values()].map(({ id }) => id), ...(await readKeptIds(work, environments))];
  const rows = await transaction.endpoint.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      deletedAt: null,
      id: { notIn: ids },
      isTemporary: false,
      OR: [{ applicationId: null }, { externalId: { not: null } }],
    },
    orderBy: { id: 'asc' },
    select: { id: true, externalId: true, environmentId: true, url: true },
    take: REMOVED_AND_ONE,
  });
  refuseMany(rows.length, 'endpoints');
  const slugs = new Map([...environments].map(([slug, id]) => [fromId('env', id), slug]));
  for (const { id, externalId, environmentId, url } of rows) {
    await work.attempt(['document', 'endpoints'], async () => {
      await deleteEndpoint(ctx, toId('ep', id));
      note(work, 'remove', {
        kind: 'endpoint',
        key: externalId ?? toId('ep', id),
        environment: slugs.get(environmentId) ?? null,
        fields: [changed('url', url, null)],
      });
    });
  }
}

/** Creates an endpoint of a document; returns its fields. */
async function createFromDocument(
  { ctx }: Work,
  { one, environmentId }: NamedEndpoint,
): Promise<WorkspaceChange['fields']> {
  const { environment: _slug, application, destination, eventTypes, authUsername, authPassword, ...fields } = one;
  const body = {
    ...fields,
    environmentId,
    // A new endpoint has no credentials that null would remove.
    authUsername: authUsername ?? undefined,
    authPassword: authPassword ?? undefined,
    ...(destination === undefined ? {} : { config: { ...one.config, destination } }),
    ...(eventTypes === undefined || eventTypes.length === 0 ? {} : { eventTypes }),
  };
  await createEndpoint(ctx, body, application === undefined ? undefined : `ext:${application}`);
  return [
    ...fieldOf('type', null, one.type),
    ...fieldOf('application', null, application),
    ...fieldOf('url', null, one.url),
    ...fieldOf('description', null, one.description),
    ...fieldOf('isActive', null, one.isActive),
    ...fieldOf('destination', null, destination),
    ...fieldsOf('config', {}, one.config),
    ...fieldsOf('metadata', {}, one.metadata),
    ...(eventTypes ?? []).map((chosen) => changed(`eventTypes.${chosen.name}`, null, subscriptionOf(chosen))),
    ...fieldOf('authUsername', null, authUsername),
    ...secretFields(one),
  ];
}

function secretFields({ secret, authPassword, secretHeaders = {}, credentials = {} }: DocumentEndpoint) {
  const namesOf = (field: string, values: Record<string, string | null>) =>
    Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [`${field}.${name}`]));
  return [
    ...(typeof authPassword === 'string' ? ['authPassword'] : []),
    ...(secret === undefined ? [] : ['secret']),
    ...namesOf('secretHeaders', secretHeaders),
    ...namesOf('credentials', credentials),
  ].map((field) => changed(field, null, REDACTED));
}
