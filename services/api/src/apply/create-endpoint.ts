import type { DocumentEndpoint, WorkspaceChange } from '@posthorn/contract/apply';
import { createEndpoint } from '../endpoints/endpoints.ts';
import { changed, fieldOf, fieldsOf, REDACTED } from './fields.ts';
import type { NamedEndpoint } from './read-endpoints.ts';
import { subscriptionOf } from './subscriptions.ts';
import type { Work } from './work.ts';

/** Creates an endpoint of a document; returns its fields. */
export async function createFromDocument(
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
