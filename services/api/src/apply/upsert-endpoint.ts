import type { DocumentEndpoint } from '@posthorn/contract/apply';
import type { upsertEndpointBody } from '@posthorn/contract/endpoints';
import { toId } from '@posthorn/contract/ids';
import { isEventTypePattern } from '@posthorn/contract/subscriptions';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { DEFAULT_KIND, requireKind } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { createEndpoint, getEndpoint, lockEndpoint } from '../endpoints/endpoints.ts';
import { checkKindConfig } from '../endpoints/kind-settings.ts';
import { requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { nameOfUpsert, noneIf, upsert } from '../operation/upsert.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { type EndpointBefore, readEndpoint } from './read-endpoints.ts';
import { updateFromDocument } from './update-endpoint.ts';
import { withVettedUrls } from './vetted-urls.ts';

export const UPSERT_ENDPOINT =
  'Creates or replaces the endpoint with this externalId, given as `ext:<externalId>`, in the default environment unless the body names another. Omitted optional fields are set to their defaults; the id, the secret, `isActive`, the health and the owner are kept. An answer that is sent back changes nothing. The status is 201 if the endpoint is new.';

type Body = z.output<typeof upsertEndpointBody>;

/** Creates the endpoint that `ext:` names in an environment, or makes it like the body. */
export async function upsertEndpoint(
  ctx: WorkspaceContext,
  { reference, field }: { reference: string; field: string },
  body: Body,
  application = body.applicationId,
) {
  const externalId = nameOfUpsert(reference, field, body.externalId);
  const environment = await requireEnvironment(ctx, ctx.db, body.environmentId);
  const environmentId = toId('env', environment.id);
  const named = { ...body, externalId, environmentId };
  const owner = application == null ? null : (await requireApplication(ctx, ctx.db, application)).id;
  const eventTypes = body.eventTypes ?? body.eventTypePatterns;
  return upsert({
    async replace() {
      const found = await findNamed(ctx, environment.id, externalId);
      if (found === undefined) return undefined;
      return replaceEndpoint(ctx, found, { body: named, slug: environment.slug, owner });
    },
    create: () => createEndpoint(ctx, { ...named, eventTypes }, application),
  });
}

async function findNamed(ctx: WorkspaceContext, environmentId: string, externalId: string) {
  const where = { workspaceId: ctx.workspace.id, environmentId, externalId, deletedAt: null };
  const found = await ctx.db.endpoint.findFirst({ where, select: { id: true } });
  return found === null ? undefined : toId('ep', found.id);
}

/** The endpoint that the path of an upsert and its body name; undefined where there is none. */
export async function presentUpserted(ctx: WorkspaceContext, reference: string, body: unknown) {
  const { data } = PLACE.safeParse(body);
  const environment = await requireEnvironment(ctx, ctx.db, data?.environmentId).catch(noneIf('not_found'));
  if (environment === undefined) return undefined;
  const found = await findNamed(ctx, environment.id, reference.slice('ext:'.length));
  return found === undefined ? undefined : getEndpoint(ctx, found, {});
}

const PLACE = z.object({ environmentId: z.string().optional() });

type Replacing = {
  body: Omit<Body, 'externalId'> & { externalId: string };
  /** Of the environment. */
  slug: string;
  /** The key of the application. */
  owner: string | null;
};

/** The operations of the interface make each change, as for a document, so that each has its rules and its audit entry. */
async function replaceEndpoint(ctx: WorkspaceContext, id: string, { body, slug, owner }: Replacing) {
  const one = documentOf(body, slug);
  const vetted = await withVettedUrls(ctx, { version: 1, endpoints: [one] });
  return ctx.changeTogether(true, async (transaction, change) => {
    // Event types are created under this lock. Take it before the endpoint's lock, as every other change does.
    await lockWorkspace(transaction, ctx.workspace.id);
    const before = await lockEndpoint(ctx, transaction, id).catch(noneIf('not_found'));
    if (before === undefined) return undefined;
    const { applicationId, type } = before;
    if (applicationId !== owner) {
      const whose = applicationId === null ? 'no application' : 'another application';
      throw new ApiError('external_id_taken', `The endpoint with this externalId in this environment is of ${whose}`);
    }
    const kind = body.type === undefined ? DEFAULT_KIND : requireKind(body.type);
    if (kind.type !== type) throw invalid(`type cannot be changed: it is ${type}`, 'type');
    checkKindConfig(kind, body.config ?? {});
    const inTransaction = { ...vetted, db: transaction as Db, listDb: transaction as Db, change };
    const work = { ctx: inTransaction, transaction, prune: true, dryRun: false, comparesStored: true };
    const eventTypeIds = await requireTypes(ctx, transaction, one);
    const stored = await readEndpoint(work, id);
    const named = {
      one: { ...one, eventTypes: [...one.eventTypes, ...subscriptionsBeside(body, stored)] },
      environmentId: body.environmentId ?? '',
      eventTypeIds,
      kept: { secretHeaders: body.secretHeaderNames, credentials: body.credentialNames },
    };
    await updateFromDocument(work, named, stored);
    return getEndpoint(inTransaction, id, {});
  });
}

/** An answer shows the patterns of an endpoint, and not what it subscribes to one by one. */
function subscriptionsBeside({ eventTypes, eventTypePatterns }: Replacing['body'], stored: EndpointBefore) {
  if (eventTypes !== undefined || eventTypePatterns === undefined) return [];
  return stored.subscriptions.map(({ eventType, filter }) => ({ name: eventType.name, filter }));
}

/** The endpoint as a document has it: all that is absent has its default, and what stays is not named. */
function documentOf(body: Replacing['body'], environment: string) {
  const { externalId, url, type, description = '', config = {}, metadata = {}, eventTypePatterns = [] } = body;
  const { eventTypes = eventTypePatterns } = body;
  const { secretHeaders = {}, credentials = {}, authUsername = null, authPassword } = body;
  return {
    ...{ externalId, environment, url, type, description, config, metadata, eventTypes },
    ...{ secretHeaders, credentials, authUsername, authPassword },
  };
}

/** The ids of the event types that the body names one by one. */
async function requireTypes(ctx: WorkspaceContext, transaction: DbTransaction, { eventTypes = [] }: DocumentEndpoint) {
  const names = eventTypes.map(({ name }) => name).filter((name) => !isEventTypePattern(name));
  const rows = await transaction.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, name: { in: names } },
    select: { id: true, name: true },
  });
  const ids = new Map(rows.map(({ id, name }) => [name, toId('evt', id)]));
  const missing = names.find((name) => !ids.has(name));
  if (missing !== undefined) throw new ApiError('not_found', `Event type not found: ${missing}`);
  return ids;
}
