import { isOperational, OPERATIONAL_PREFIX } from '@posthorn/contract/operational-events';
import type { PageQuery } from '@posthorn/contract/primitives';
import type { Db } from '@posthorn/db/client';
import { requireEnvironment } from '../environments/environments.ts';
import { presentEventType, requireEventType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { ApiError, notFound } from '../http/error.ts';
import { listRows } from '../http/list-rows.ts';
import { inPages } from '../http/pages.ts';
import { writeCatalog } from './catalog-document.ts';

/** The event types that are published in the environment, oldest first (docs/interface.md, Catalogue). */
export async function listCatalog(ctx: WorkspaceContext, environmentId: string, query: PageQuery) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  return listRows(ctx, query, {
    name: ['catalogue', environment.id],
    read: (page) => readPublished(ctx, ctx.db, { environmentId: environment.id, ...page }),
    present: presentEventType,
  });
}

/** One of them; `not_found` when it is not published there. */
export async function getCatalogEventType(ctx: WorkspaceContext, environmentId: string, id: string) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  const eventType = await requireEventType(ctx, ctx.db, id);
  const where = { environmentId: environment.id, eventTypeId: eventType.id };
  if (isHidden(ctx, eventType.name)) throw notFound('Event type');
  if ((await ctx.db.publishedEventType.count({ where })) === 0) throw notFound('Event type');
  return presentEventType(eventType);
}

const MAX_CHARACTERS = 8 * 1024 * 1024;

/** The catalogue as an OpenAPI document. Its size is bounded, because it is answered as one. */
export async function describeCatalog(ctx: WorkspaceContext, environmentId: string) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  const read = (page: Page) => readPublished(ctx, ctx.listDb, { environmentId: environment.id, ...page });
  const types: ReturnType<typeof presentEventType>[] = [];
  let characters = 0;
  for await (const page of inPages(read, presentEventType)) {
    types.push(...page);
    characters += JSON.stringify(page).length;
    if (characters > MAX_CHARACTERS) {
      throw new ApiError('limit_reached', 'The catalogue is larger than 8 MiB; read it by pages instead');
    }
  }
  return writeCatalog({ workspace: ctx.workspace.name, environment: environment.name, types });
}

type Page = { after: string | undefined; take: number };

function readPublished(
  ctx: WorkspaceContext,
  db: Pick<Db, 'eventType'>,
  { environmentId, after, take }: Page & { environmentId: string },
) {
  const published = { some: { environmentId } };
  return db.eventType.findMany({
    where: {
      ...{ workspaceId: ctx.workspace.id, published },
      ...(isPortal(ctx) ? { name: { not: { startsWith: OPERATIONAL_PREFIX } } } : {}),
      ...(after === undefined ? {} : { id: { gt: after } }),
    },
    orderBy: { id: 'asc' },
    take,
  });
}

/** Operational events tell of the whole workspace: a customer does not see their types. */
export function isHidden(ctx: WorkspaceContext, eventTypeName: string): boolean {
  return isPortal(ctx) && isOperational(eventTypeName);
}

function isPortal({ bounds }: WorkspaceContext): boolean {
  return bounds.applicationId !== undefined;
}
