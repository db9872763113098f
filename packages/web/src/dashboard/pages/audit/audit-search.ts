/** The kinds of actors, each with its word. */
export const ACTORS = {
  user: 'Person',
  management_token: 'Management token',
  api_key: 'API key',
  portal_session: 'Portal',
  system: 'Posthorn',
} as const;

export type ActorType = keyof typeof ACTORS;

/** The filters of the log and its page, as its address has them. */
export type AuditSearch = { action?: string; resource?: string; actor?: ActorType; page?: number };

/** Reads the filters of an address; what is not one is left out. */
export function readAuditSearch(search: Record<string, unknown>): AuditSearch {
  const { action, resource, actor, page } = search;
  return {
    ...(typeof action === 'string' && action !== '' && { action }),
    ...(typeof resource === 'string' && resource !== '' && { resource }),
    ...(isActor(actor) && { actor }),
    ...(Number.isSafeInteger(page) && typeof page === 'number' && page > 1 && { page }),
  };
}

function isActor(value: unknown): value is ActorType {
  return typeof value === 'string' && Object.hasOwn(ACTORS, value);
}
