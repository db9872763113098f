import { isDeepStrictEqual } from 'node:util';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type {
  createSourceBody,
  listRejectionsQuery,
  listSourcesQuery,
  SourceConfig,
  seekSourceBody,
  source,
  sourceRejection,
  updateSourceBody,
} from '@posthorn/contract/sources';
import { sealContext } from '@posthorn/crypto/contexts';
import type { Db, DbTransaction } from '@posthorn/db/client';
import type { Source, SourceRejection } from '@posthorn/db/generated/client';
import { lowestKeyAt } from '@posthorn/db/uuid-range';
import { uniqueViolation } from '@posthorn/db/violations';
import { brokerUrls, credentialsFault, SOURCE_TYPE, sourceCredentials } from '@posthorn/destinations/source-kind';
import { z } from 'zod';
import { type Changes, diff } from '../audit/change.ts';
import { REDACTED } from '../endpoints/endpoint-audit.ts';
import { changeSealed, type GivenValues, openSealed, type SealedValues } from '../endpoints/sealed-values.ts';
import { holdEnvironment, requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { openPageCursor, sealPageCursor } from '../operation/page-cursor.ts';
import { parseInput } from '../operation/parse.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { retentionMs } from '../workspaces/retention.ts';

export async function listSources(ctx: WorkspaceContext, query: z.output<typeof listSourcesQuery>) {
  const named = query.environment_id;
  const environment = named === undefined ? undefined : await requireEnvironment(ctx, ctx.db, named);
  const list = ['sources', environment?.id ?? null];
  const after = query.cursor === undefined ? undefined : openPageCursor(ctx, query.cursor, list);
  const rows = await ctx.db.source.findMany({
    where: {
      AND: [reachOf(ctx), environment === undefined ? {} : { environmentId: environment.id }],
      ...(after === undefined ? {} : { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const nextCursor = rows.length > query.limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null;
  return { sources: page.map((row) => presentSource(ctx, row)), nextCursor };
}

export async function getSource(ctx: WorkspaceContext, id: string) {
  return presentSource(ctx, await requireSource(ctx, ctx.db, id));
}

export async function createSource(ctx: WorkspaceContext, body: z.output<typeof createSourceBody>) {
  await vetBrokers(ctx, body.config);
  return ctx.change('source.created', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const environment = await requireEnvironment(ctx, transaction, body.environmentId);
    await holdEnvironment(transaction, environment.id);
    const { id: workspaceId } = ctx.workspace;
    await requireRoomForSources(ctx, transaction, 1);
    const now = ctx.clock.now();
    const id = newUuid(now);
    const { name, externalId, config, isActive } = body;
    const credentials = changeCredentials(ctx, { id, config, before: {}, given: body.credentials });
    const row = await transaction.source
      .create({
        data: {
          ...{ id, workspaceId, environmentId: environment.id, externalId, name, type: SOURCE_TYPE },
          ...{ config, credentials, isActive, createdAt: now, updatedAt: now },
        },
      })
      .catch(refuseTakenExternalId);
    return { result: presentSource(ctx, row), entry: noteOf(row, diff<object>({}, auditedOf(row))) };
  });
}

/** Refuses more sources than a workspace may have. The transaction must hold the workspace's lock. */
export async function requireRoomForSources(ctx: WorkspaceContext, transaction: DbTransaction, added: number) {
  const present = await transaction.source.count({ where: { workspaceId: ctx.workspace.id } });
  if (present + added <= LIMITS.sourcesPerWorkspace) return;
  throw new ApiError('limit_reached', `A workspace has at most ${LIMITS.sourcesPerWorkspace} sources`);
}

export async function updateSource(ctx: WorkspaceContext, id: string, body: z.output<typeof updateSourceBody>) {
  const stored = configOf(await requireSource(ctx, ctx.db, id));
  if (body.config !== undefined && hasMoved(stored, body.config)) await vetBrokers(ctx, body.config);
  return ctx.change('source.updated', async (transaction) => {
    await lockWorkspace(transaction, ctx.workspace.id);
    const former = await requireSource(ctx, transaction, id);
    const { name = former.name, config = configOf(former), isActive = former.isActive } = body;
    const { externalId = former.externalId } = body;
    // Credentials belong to the brokers for which they were given.
    const before = hasMoved(configOf(former), config) ? {} : credentialsOf(former);
    const credentials = changeCredentials(ctx, { id: former.id, config, before, given: body.credentials });
    const after = { ...former, externalId, name, config, isActive, credentials };
    const changes = diff(auditedOf(former), auditedOf(after));
    if (Object.values(body.credentials ?? {}).some((value) => value !== null)) {
      changes.credentials = { from: REDACTED, to: REDACTED };
    }
    const isUnchanged = Object.keys(changes).length === 0;
    if (isUnchanged && former.status !== 'stopped') return { result: presentSource(ctx, former), entry: null };
    const data = { externalId, name, config, isActive, credentials };
    const row = await changeRow(ctx, transaction, former.id, data).catch(refuseTakenExternalId);
    return { result: presentSource(ctx, row), entry: isUnchanged ? null : noteOf(row, changes) };
  });
}

export async function deleteSource(ctx: WorkspaceContext, id: string) {
  return ctx.change('source.deleted', async (transaction) => {
    const before = await requireSource(ctx, transaction, id);
    await transaction.source.delete({ where: { id: before.id } });
    return { result: undefined, entry: noteOf(before, diff<object>(auditedOf(before), {})) };
  });
}

/** Moves the source in partitions that it has begun to read; the reader finds the offset of a time. */
export async function seekSource(
  ctx: WorkspaceContext,
  id: string,
  { topic, partition, offset, timestamp }: z.output<typeof seekSourceBody>,
) {
  return ctx.change('source.moved', async (transaction) => {
    const before = await requireSource(ctx, transaction, id);
    const where = { sourceId: before.id, topic, ...(partition === undefined ? {} : { partition }) };
    const place =
      offset === undefined
        ? { nextOffset: null, startAt: timestamp ?? null, topicId: null }
        : { nextOffset: BigInt(offset), startAt: null, topicId: null };
    // Lock the source first, as the transaction of a batch does.
    const row = await changeRow(ctx, transaction, before.id, {});
    const { count } = await transaction.sourcePlace.updateMany({ where, data: place });
    if (count === 0) {
      const field = partition === undefined ? 'topic' : 'partition';
      throw invalid(`${field} must be one that the source has begun to read`, field);
    }
    const to = offset ?? timestamp ?? null;
    const changes = { position: { from: null, to: { topic, partition: partition ?? null, at: to } } };
    return { result: presentSource(ctx, row), entry: noteOf(row, changes) };
  });
}

export async function listRejections(ctx: WorkspaceContext, id: string, query: z.output<typeof listRejectionsQuery>) {
  const { id: sourceId } = await requireSource(ctx, ctx.db, id);
  const list = ['rejections', sourceId];
  const after = query.cursor === undefined ? undefined : openPageCursor(ctx, query.cursor, list);
  const oldest = lowestKeyAt(new Date(ctx.clock.now().getTime() - retentionMs(ctx)));
  const rows = await ctx.db.sourceRejection.findMany({
    where: { sourceId, id: { gte: oldest, ...(after === undefined ? {} : { lt: after }) } },
    orderBy: { id: 'desc' },
    take: query.limit + 1,
  });
  const page = rows.slice(0, query.limit);
  const nextCursor = rows.length > query.limit ? sealPageCursor(ctx, page.at(-1)?.id, list) : null;
  return { rejections: page.map(presentRejection), nextCursor };
}

/**
 * Changes the source, with a new revision: records that were read under a former one are not stored, and a reader that
 * has stopped begins again.
 */
export function changeRow(
  { clock }: Pick<WorkspaceContext, 'clock'>,
  transaction: DbTransaction,
  id: string,
  data: object,
) {
  const fresh = { revision: crypto.randomUUID(), status: 'starting', error: null, updatedAt: clock.now() };
  return transaction.source.update({ where: { id }, data: { ...data, ...fresh } });
}

function refuseTakenExternalId(error: unknown): never {
  if (uniqueViolation(error)?.includes('external_id') !== true) throw error;
  throw new ApiError('external_id_taken', 'A source with this externalId already exists in this environment');
}

/** Refuses brokers that may not be reached. */
export async function vetBrokers(
  { vetUrl, settings }: WorkspaceContext,
  config: Pick<SourceConfig, 'brokers' | 'tls' | 'saslMechanism' | 'ca'>,
): Promise<void> {
  if (!config.tls && !settings.allowPlaintext) {
    throw invalid('config.tls must be true: only the operator can allow connections without TLS', 'config.tls');
  }
  for (const [index, url] of brokerUrls(config).entries()) {
    const place = `config.brokers[${index}]`;
    const verdict = await vetUrl(url.replace(/^http:/, 'https:'));
    if (verdict.kind === 'refused') throw invalid(verdict.message.replace(/^url\b/, place), place, verdict.rule);
  }
}

export function hasMoved(from: SourceConfig, to: SourceConfig): boolean {
  return !isDeepStrictEqual(brokerUrls(from).toSorted(), brokerUrls(to).toSorted());
}

type CredentialsChange = { id: string; config: SourceConfig; before: SealedValues; given: GivenValues | undefined };

/** The sealed credentials after a change, if they fit each other and the config. */
function changeCredentials(
  { sealingKeys }: WorkspaceContext,
  { id, config, before, given }: CredentialsChange,
): SealedValues {
  const contextOf = (name: string) => sealContext.sourceCredential(id, name);
  const after = changeSealed(sealingKeys, before, given, contextOf);
  const opened = Object.fromEntries(
    Object.entries(after).map(([name, sealed]) => {
      const value = openSealed(sealingKeys, sealed, contextOf(name));
      if (value === undefined) throw invalid(`credentials.${name} cannot be decrypted: set it again`, 'credentials');
      return [name, value];
    }),
  );
  const { credentials } = parseInput(z.object({ credentials: sourceCredentials }), { credentials: opened });
  const fault = credentialsFault(config, Object.fromEntries(Object.entries(credentials).map(([n, v]) => [n, `${v}`])));
  if (fault !== undefined) throw invalid(`${fault.field} ${fault.message}`, fault.field);
  return after;
}

function reachOf({ workspace, bounds }: WorkspaceContext) {
  return { workspaceId: workspace.id, ...bounds };
}

export async function requireSource(ctx: WorkspaceContext, db: Pick<Db | DbTransaction, 'source'>, id: string) {
  const uuid = fromId('src', id);
  const row = uuid === undefined ? null : await db.source.findFirst({ where: { AND: [{ id: uuid }, reachOf(ctx)] } });
  if (row === null) throw notFound('Source');
  return row;
}

/** The columns are written by these operations only, after they were checked against the contract. */
export function configOf({ config }: Pick<Source, 'config'>): SourceConfig {
  return config as SourceConfig;
}

export function credentialsOf({ credentials }: Pick<Source, 'credentials'>): SealedValues {
  return credentials as SealedValues;
}

function auditedOf(row: Pick<Source, 'externalId' | 'name' | 'config' | 'isActive' | 'credentials' | 'environmentId'>) {
  const { externalId, name, config, isActive } = row;
  const credentialNames = Object.keys(credentialsOf(row)).toSorted();
  return { externalId, name, config, isActive, credentialNames, environmentId: toId('env', row.environmentId) };
}

function noteOf({ id, environmentId }: Source, changes: Changes) {
  return { resourceId: toId('src', id), changes, environmentId };
}

function presentSource({ clock }: Pick<WorkspaceContext, 'clock'>, row: Source): z.input<typeof source> {
  const { status, error, lagRecords, lastRecordAt, rejected } = row;
  const age = lastRecordAt && Math.max(0, Math.round((clock.now().getTime() - lastRecordAt.getTime()) / 1_000));
  return {
    id: toId('src', row.id),
    externalId: row.externalId,
    name: row.name,
    type: SOURCE_TYPE,
    environmentId: toId('env', row.environmentId),
    isActive: row.isActive,
    config: configOf(row),
    credentialNames: Object.keys(credentialsOf(row)).toSorted(),
    promotedFrom: row.promotedFrom === null ? null : toId('src', row.promotedFrom),
    health: {
      status: row.isActive ? (status as 'running') : 'inactive',
      error: row.isActive ? error : null,
      lagRecords: lagRecords === null ? null : Number(lagRecords),
      lagSeconds: lagRecords === 0n ? 0 : lagRecords === null ? null : age,
      lastRecordAt: lastRecordAt?.toISOString() ?? null,
      rejected: Number(rejected),
    },
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

function presentRejection(row: SourceRejection): z.input<typeof sourceRejection> {
  const { topic, partition, recordOffset, reason, message, size, at } = row;
  return { topic, partition, offset: Number(recordOffset), reason, message, size, at: at.toISOString() };
}
