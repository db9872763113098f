import { t } from '../../language/language.ts';
/** Changes to the keys of a pull endpoint, in the dashboard or the portal. Each change refetches the lists. */
export type KeyChanges = {
  /** Returns the id and the key, which is shown once. */
  create: (name: string) => Promise<{ id: string; key: string }>;
  remove: (id: string) => Promise<unknown>;
};

/** The id and the key in the response. The response to a repeated request has no key. */
export function keyOf({ data }: { data?: { id: string; pullKey: string | null } }): { id: string; key: string } {
  if (data?.pullKey) return { id: data.id, key: data.pullKey };
  throw new Error(t('The key was created, but it was not shown. Delete it, and create another one.'));
}
