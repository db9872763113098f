import type { DocumentEnvironment } from '@posthorn/contract/apply';
import { fieldPath } from '@posthorn/contract/field-path';
import { toId } from '@posthorn/contract/ids';
import { createEnvironment, deleteEnvironment, updateEnvironment } from '../environments/environments.ts';
import { invalid } from '../transport/error.ts';
import { changed, fieldOf } from './fields.ts';
import { note, type Work } from './work.ts';

/** The ids of the workspace's environments, by slug. */
export type Environments = ReadonlyMap<string, string>;

/**
 * Removes environments first, so that there is room. The default environment is removed last, because another one may
 * take its place. Returns the environments that the workspace then has.
 */
export async function applyEnvironments(work: Work): Promise<Environments> {
  const present = await readEnvironments(work);
  const bySlug = new Map(present.map((row) => [row.slug, row]));
  const wanted = work.document.environments ?? [];
  const isPruned = work.removes && work.document.environments !== undefined;
  const kept = new Set(wanted.map(({ slug }) => slug));
  const unnamed = isPruned ? present.filter(({ slug }) => !kept.has(slug)) : [];
  for (const row of unnamed) if (!row.isDefault) await removeEnvironment(work, row);
  for (const [index, one] of wanted.entries()) {
    await work.attempt(['document', 'environments', index], () => applyEnvironment(work, one, bySlug.get(one.slug)));
  }
  for (const row of unnamed) if (row.isDefault) await removeEnvironment(work, row);
  return new Map((await readEnvironments(work)).map(({ id, slug }) => [slug, toId('env', id)]));
}

function readEnvironments({ ctx, transaction }: Work) {
  return transaction.environment.findMany({
    where: { workspaceId: ctx.workspace.id, deletedAt: null },
    orderBy: { slug: 'asc' },
  });
}

async function applyEnvironment(
  work: Work,
  { slug, name, isDefault, requireApplication }: DocumentEnvironment,
  before: { id: string; name: string; isDefault: boolean; requireApplication: boolean } | undefined,
): Promise<void> {
  const object = { kind: 'environment', key: slug } as const;
  const fields = [
    ...(before === undefined ? [changed('name', null, name)] : fieldOf('name', before.name, name)),
    ...fieldOf('isDefault', before?.isDefault ?? false, isDefault),
    ...fieldOf('requireApplication', before?.requireApplication ?? false, requireApplication),
  ];
  const id = before === undefined ? (await createEnvironment(work.ctx, { slug, name })).id : toId('env', before.id);
  // The default cannot be given up. It is lost when another environment takes it.
  const isTaken = isDefault === false && work.document.environments?.some((one) => one.isDefault);
  const changes = {
    name,
    ...(isDefault === undefined || isTaken ? {} : { isDefault }),
    ...(requireApplication === undefined ? {} : { requireApplication }),
  };
  if (fields.length > 0) await updateEnvironment(work.ctx, id, changes);
  note(work, before === undefined ? 'create' : 'update', { ...object, fields });
}

async function removeEnvironment(work: Work, { id, slug, name }: { id: string; slug: string; name: string }) {
  await work.attempt(['document', 'environments'], async () => {
    await deleteEnvironment(work.ctx, toId('env', id));
    note(work, 'remove', { kind: 'environment', key: slug, fields: [changed('name', name, null)] });
  });
}

/** The id of an environment that a document names at a place; a `validation_error` for an unknown slug. */
export function environmentNamed(environments: Environments, slug: string, place: readonly PropertyKey[]): string {
  const id = environments.get(slug);
  if (id !== undefined) return id;
  const at = fieldPath(place);
  const known = [...environments.keys()].join(', ');
  throw invalid(`${at} must be the slug of an environment: ${known}`, at);
}
