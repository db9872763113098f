import type { DocumentApplication } from '@posthorn/contract/apply';
import { toId } from '@posthorn/contract/ids';
import { createApplication, deleteApplication, updateApplication } from '../applications/applications.ts';
import { ApiError } from '../transport/error.ts';
import { changed, fieldOf, fieldsOf } from './fields.ts';
import { note, REMOVED_AND_ONE, type Work } from './work.ts';

type Row = { id: string; externalId: string | null; name: string; metadata: unknown };

/** Makes the applications as the document has them. One without an externalId cannot be named, and is never removed. */
export async function applyApplications(work: Work): Promise<void> {
  const wanted = work.document.applications;
  if (wanted === undefined) return;
  const names = wanted.map(({ externalId }) => externalId);
  if (work.removes) await removeApplications(work, [...names, ...(work.keep.applications ?? [])]);
  const where = { workspaceId: work.ctx.workspace.id, deletedAt: null, externalId: { in: names } };
  const rows = await work.transaction.application.findMany({ where });
  const present = new Map(rows.map((row) => [row.externalId, row]));
  for (const [index, one] of wanted.entries()) {
    await work.attempt(['document', 'applications', index], () =>
      applyApplication(work, one, present.get(one.externalId)),
    );
  }
}

async function applyApplication(work: Work, one: DocumentApplication, before: Row | undefined): Promise<void> {
  const { externalId, name, metadata } = one;
  const object = { kind: 'application', key: externalId } as const;
  // The column always has an object.
  const stored = (before?.metadata ?? {}) as object;
  const fields = [...fieldOf('name', before?.name, name), ...fieldsOf('metadata', stored, metadata)];
  if (before === undefined) await createApplication(work.ctx, one);
  else if (fields.length > 0) await updateApplication(work.ctx, toId('app', before.id), { name, metadata });
  note(work, before === undefined ? 'create' : 'update', { ...object, fields });
}

async function removeApplications(work: Work, kept: readonly string[]): Promise<void> {
  const rows = await work.transaction.application.findMany({
    where: { workspaceId: work.ctx.workspace.id, deletedAt: null, externalId: { not: null, notIn: [...kept] } },
    orderBy: { id: 'asc' },
    take: REMOVED_AND_ONE,
  });
  refuseMany(rows.length, 'applications');
  for (const row of rows) {
    await work.attempt(['document', 'applications'], async () => {
      await deleteApplication(work.ctx, toId('app', row.id));
      note(work, 'remove', {
        ...{ kind: 'application', key: row.externalId ?? '', fields: [changed('name', row.name, null)] },
      });
    });
  }
}

/** Removals are bounded: a document that leaves so much out may well be the wrong one. */
export function refuseMany(count: number, what: string): void {
  if (count < REMOVED_AND_ONE) return;
  throw new ApiError('limit_reached', `prune would remove more than ${REMOVED_AND_ONE - 1} ${what}: remove some first`);
}
