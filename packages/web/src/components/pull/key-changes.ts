import { t } from '../../language/language.ts';
/** What the dashboard and the portal do to the keys of an endpoint. Each change reads the lists again. */
export type KeyChanges = {
  /** Answers the id and the key, which is shown once. */
  create: (name: string) => Promise<{ id: string; key: string }>;
  remove: (id: string) => Promise<unknown>;
};

/** The id and the key of the answer that shows it. A later answer to the same request has none. */
export function keyOf({ data }: { data?: { id: string; pullKey: string | null } }): { id: string; key: string } {
  if (data?.pullKey) return { id: data.id, key: data.pullKey };
  throw new Error(t('The key was created, but it was not shown. Delete it, and create another one.'));
}
