import type { listEndpointsQuery } from '@posthorn/contract/endpoints';
import type { z } from 'zod';
import { requireApplication } from '../applications/require-application.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { requireEventType, visibleTypes } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { listRows } from '../operation/list-rows.ts';
import { requireEndpointStats } from '../stats/endpoint-stats.ts';
import { type EndpointRow, endpointParts, presentEndpoint, readPullStates } from './present-endpoint.ts';

type Query = z.output<typeof listEndpointsQuery>;

/**
 * The workspace's endpoints, application-owned included, oldest first: all of them, read and answered in pages, or the
 * one page that `limit` and `cursor` select. `list` is the list's name, to which its cursors are bound.
 */
export async function listEndpoints(ctx: WorkspaceContext, query: Query, list = 'endpoints') {
  const filters = await readFilters(ctx, query);
  const read = async ({ after, take }: { after: string | undefined; take: number }) => {
    const rows: EndpointRow[] = await ctx.db.endpoint.findMany({
      where: {
        AND: [...filters.map(({ where }) => where), ctx.bounds, after === undefined ? {} : { id: { gt: after } }],
        workspaceId: ctx.workspace.id,
        deletedAt: null,
        isTemporary: false,
      },
      orderBy: { id: 'asc' },
      include: endpointParts,
      take,
    });
    return withStats(ctx, rows, query);
  };
  const name = [list, ...filters.map((filter) => filter.name)];
  return listRows(ctx, query, { name, read, present: ({ present }) => present() });
}

/** The rows of a page, ready to be presented one by one, with their statistics where they are asked for. */
async function withStats(ctx: WorkspaceContext, rows: readonly EndpointRow[], { include }: Query) {
  const statsOf =
    include === undefined
      ? undefined
      : await ctx.inPageTurn(() =>
          requireEndpointStats(
            ctx,
            rows.map(({ id }) => id),
          ),
        );
  const pulls = await readPullStates(ctx.db, rows);
  return rows.map((row) => ({
    id: row.id,
    present: () => ({
      ...presentEndpoint(ctx, row, pulls.get(row.id)),
      ...(statsOf === undefined ? {} : { stats: statsOf(row.id) }),
    }),
  }));
}

/**
 * Each filter of the query, with a name to which its cursors are bound; `not_found` for a filter that names a missing
 * resource.
 */
async function readFilters(ctx: WorkspaceContext, query: Query) {
  const filters: { name: string; where: object }[] = [];
  // Check the application first, because it may be in the path.
  const application =
    query.application_id === undefined ? undefined : await requireApplication(ctx, ctx.db, query.application_id);
  if (query.environment_id !== undefined) {
    const { id } = await requireEnvironment(ctx, ctx.db, query.environment_id);
    filters.push({ name: `environment ${id}`, where: { environmentId: id } });
  }
  if (query.event_type_id !== undefined) {
    const { id } = await requireEventType(ctx, ctx.db, query.event_type_id, visibleTypes(ctx));
    filters.push({ name: `event type ${id}`, where: { subscriptions: { some: { eventTypeId: id } } } });
  }
  if (application !== undefined) {
    const { id } = application;
    filters.push({ name: `application ${id}`, where: { applicationId: id } });
  }
  const { is_active: isActive, external_id: externalId } = query;
  if (externalId !== undefined) filters.push({ name: `external id ${externalId}`, where: { externalId } });
  if (isActive !== undefined) filters.push({ name: `active ${isActive}`, where: { isActive } });
  return filters;
}
