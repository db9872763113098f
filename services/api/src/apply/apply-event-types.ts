import { isDeepStrictEqual } from 'node:util';
import type { DocumentEventType } from '@posthorn/contract/apply';
import type { SchemaMode } from '@posthorn/contract/environments';
import { toId } from '@posthorn/contract/ids';
import {
  createEventType,
  deleteEventType,
  KEPT_AS_WORKSPACE,
  searchKeysOf,
  updateEventType,
} from '../event-types/event-types.ts';
import { setVisibility } from '../event-types/visibility.ts';
import { refuseMany } from './apply-applications.ts';
import { type Environments, environmentNamed } from './apply-environments.ts';
import { changed, fieldOf } from './fields.ts';
import { note, REMOVED_AND_ONE, type Work } from './work.ts';

type Row = {
  id: string;
  name: string;
  description: string | null;
  schema: unknown;
  example: unknown;
  payloadRetention: string;
  searchKeys: unknown;
  agentFilters: unknown;
  published: readonly { environmentId: string }[];
  schemaModes: readonly { environmentId: string; mode: SchemaMode }[];
};

/** The ids of event types, by name. */
export type EventTypes = ReadonlyMap<string, string>;

/** Creates and changes event types, and publishes them. Returns the ones that the document names anywhere. */
export async function applyEventTypes(work: Work, environments: Environments): Promise<EventTypes> {
  const wanted = work.document.eventTypes ?? [];
  const rows = await work.transaction.eventType.findMany({
    where: { workspaceId: work.ctx.workspace.id, name: { in: wanted.map(({ name }) => name) } },
    include: { published: true, schemaModes: true },
  });
  const present = new Map(rows.map((row) => [row.name, row]));
  for (const [index, one] of wanted.entries()) {
    await work.attempt(['document', 'eventTypes', index], () =>
      applyEventType(work, { one, before: present.get(one.name), environments }),
    );
  }
  return readIds(work);
}

async function readIds({ ctx, document, transaction }: Work): Promise<EventTypes> {
  const names = (document.endpoints ?? []).flatMap(({ eventTypes = [] }) => eventTypes.map(({ name }) => name));
  const rows = await transaction.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, name: { in: [...new Set(names)] } },
    select: { id: true, name: true },
  });
  return new Map(rows.map(({ id, name }) => [name, toId('evt', id)]));
}

type Part = { one: DocumentEventType; before: Row | undefined; environments: Environments };

async function applyEventType(work: Work, { one, before, environments }: Part): Promise<void> {
  const { name, description, schema, example, payloadRetention, searchKeys, agentFilters } = one;
  const places = visibilityChanges(one, before, { environments, prune: work.prune });
  const texts = [
    ...fieldOf('description', before?.description, description),
    ...fieldOf('schema', before?.schema, schema),
    ...fieldOf('example', before?.example, example),
    ...fieldOf('payloadRetention', before?.payloadRetention ?? KEPT_AS_WORKSPACE, payloadRetention),
    ...fieldOf('searchKeys', before?.searchKeys, searchKeys === undefined ? undefined : searchKeysOf(searchKeys)),
    ...fieldOf('agentFilters', before?.agentFilters, agentFilters),
  ];
  const parts = { description, example, payloadRetention, searchKeys, agentFilters };
  const eventTypeId =
    before === undefined ? (await createEventType(work.ctx, { name, ...parts, schema })).id : toId('evt', before.id);
  if (before !== undefined && texts.length > 0) {
    // A schema whose keys are in another order is the same schema.
    const isOther = schema !== undefined && !isDeepStrictEqual(before.schema, schema);
    await updateEventType(work.ctx, eventTypeId, { ...parts, ...(isOther && { schema }) }, { dryRun: false });
  }
  for (const { environmentId, published, schemaMode } of places) {
    await setVisibility(work.ctx, { environmentId, eventTypeId, published: published.to, schemaMode: schemaMode.to });
  }
  const fields = [
    ...texts,
    ...places.flatMap(({ slug, published, schemaMode }) => [
      ...fieldOf(`publishIn.${slug}`, published.from, published.to),
      ...fieldOf(`schemaMode.${slug}`, schemaMode.from, schemaMode.to),
    ]),
  ];
  note(work, before === undefined ? 'create' : 'update', { kind: 'eventType', key: name, fields });
}

/** The environments in which the visibility or the mode differs. Without `prune` nothing is unpublished. */
function visibilityChanges(
  { publishIn, schemaMode = {} }: DocumentEventType,
  before: Row | undefined,
  { environments, prune }: { environments: Environments; prune: boolean },
) {
  for (const [index, slug] of (publishIn ?? []).entries()) environmentNamed(environments, slug, ['publishIn', index]);
  for (const slug of Object.keys(schemaMode)) environmentNamed(environments, slug, ['schemaMode', slug]);
  return [...environments].flatMap(([slug, environmentId]) => {
    const isHere = (row: { environmentId: string }) => toId('env', row.environmentId) === environmentId;
    const isPublished = before?.published.some(isHere) ?? false;
    const stays = prune && publishIn !== undefined ? false : isPublished;
    const published = { from: isPublished, to: publishIn?.includes(slug) ? true : stays };
    const mode = before?.schemaModes.find(isHere)?.mode ?? 'off';
    const wanted = { from: mode, to: Object.hasOwn(schemaMode, slug) ? (schemaMode[slug] ?? mode) : mode };
    const isSame = published.from === published.to && wanted.from === wanted.to;
    return isSame ? [] : [{ slug, environmentId, published, schemaMode: wanted }];
  });
}

/** With `prune`, and where the document lists event types: removes all others. Their subscriptions were removed before. */
export async function removeEventTypes(work: Work): Promise<void> {
  const { ctx, document, keep, removes, transaction } = work;
  if (!removes || document.eventTypes === undefined) return;
  const kept = [...document.eventTypes.map(({ name }) => name), ...(keep.eventTypes ?? [])];
  const rows = await transaction.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, name: { notIn: kept } },
    orderBy: { id: 'asc' },
    select: { id: true, name: true, description: true },
    take: REMOVED_AND_ONE,
  });
  refuseMany(rows.length, 'event types');
  for (const { id, name, description } of rows) {
    await work.attempt(['document', 'eventTypes'], async () => {
      await deleteEventType(ctx, toId('evt', id));
      note(work, 'remove', { kind: 'eventType', key: name, fields: [changed('description', description, null)] });
    });
  }
}
