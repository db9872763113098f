import type { DocumentSource, WorkspaceChange } from '@posthorn/contract/apply';
import { fromId, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { sealContext } from '@posthorn/crypto/contexts';
import type { Source } from '@posthorn/db/generated/client';
import { openSealed } from '../endpoints/sealed-values.ts';
import { configOf, createSource, credentialsOf, deleteSource, hasMoved, updateSource } from '../sources/sources.ts';
import { type Environments, environmentNamed } from './apply-environments.ts';
import { changed, fieldOf, fieldsOf, REDACTED } from './fields.ts';
import { compareValues } from './secret-changes.ts';
import { note, type Work } from './work.ts';

/** Makes the sources as the document has them. Sources are removed first, so that there is room for new ones. */
export async function applySources(work: Work, environments: Environments): Promise<void> {
  const wanted = work.document.sources;
  if (wanted === undefined) return;
  const slugs = new Map([...environments].map(([slug, id]) => [fromId('env', id), slug]));
  const rows = await work.transaction.source.findMany({
    where: { workspaceId: work.ctx.workspace.id },
    orderBy: { id: 'asc' },
    take: LIMITS.sourcesPerWorkspace,
  });
  const keyOf = ({ environment, externalId }: Pick<DocumentSource, 'environment' | 'externalId'>) =>
    `${environment} ${externalId}`;
  const environmentOf = ({ environmentId }: Source) => slugs.get(environmentId) ?? '';
  const present = new Map(
    rows.map((row) => [
      keyOf({ environment: environmentOf(row), externalId: row.externalId ?? toId('src', row.id) }),
      row,
    ]),
  );
  const named = new Set(wanted.map(keyOf));
  for (const [key, row] of present) {
    if (!work.removes || named.has(key)) continue;
    await work.attempt(['document', 'sources'], async () => {
      await deleteSource(work.ctx, toId('src', row.id));
      const externalId = row.externalId ?? toId('src', row.id);
      const fields = [changed('name', row.name, null)];
      note(work, 'remove', { kind: 'source', key: externalId, environment: environmentOf(row), fields });
    });
  }
  for (const [index, one] of wanted.entries()) {
    await work.attempt(['document', 'sources', index], async () => {
      const environmentId = environmentNamed(environments, one.environment, ['environment']);
      const before = present.get(keyOf(one));
      const fields = before === undefined ? await create(work, one, environmentId) : await update(work, one, before);
      const object = { kind: 'source', key: one.externalId, environment: one.environment, fields } as const;
      note(work, before === undefined ? 'create' : 'update', object);
    });
  }
}

type Fields = WorkspaceChange['fields'];

async function create({ ctx }: Work, one: DocumentSource, environmentId: string): Promise<Fields> {
  const { environment: _slug, isActive = true, ...fields } = one;
  await createSource(ctx, { ...fields, environmentId, isActive });
  const credentials = Object.entries(one.credentials ?? {}).filter(([, value]) => value !== null);
  return [
    ...fieldOf('name', null, one.name),
    ...fieldOf('isActive', null, one.isActive),
    ...fieldsOf('config', {}, one.config),
    ...credentials.map(([name]) => changed(`credentials.${name}`, null, REDACTED)),
  ];
}

async function update(work: Work, one: DocumentSource, before: Source): Promise<Fields> {
  const stored = credentialsOf(before);
  const moves = hasMoved(configOf(before), one.config);
  const credentials = compareValues({
    ...{ stored, given: one.credentials, prune: work.prune },
    isOther: (name, sealed, value) =>
      work.comparesStored &&
      openSealed(work.ctx.sealingKeys, sealed, sealContext.sourceCredential(before.id, name)) !== value,
  });
  const fields = [
    ...fieldOf('name', before.name, one.name),
    ...fieldOf('isActive', before.isActive, one.isActive),
    ...fieldsOf('config', configOf(before), one.config),
    ...credentials.map(([name, value]) =>
      changed(`credentials.${name}`, stored[name] === undefined ? null : REDACTED, value === null ? null : REDACTED),
    ),
  ];
  if (fields.length === 0) return [];
  await updateSource(work.ctx, toId('src', before.id), {
    ...{ name: one.name, isActive: one.isActive, config: one.config },
    // A source that moves to other brokers needs all credentials again.
    credentials: moves ? one.credentials : Object.fromEntries(credentials),
  });
  return fields;
}
