import { toId } from '@posthorn/contract/ids';
import type { PageQuery } from '@posthorn/contract/primitives';
import { requireEnvironment } from '../environments/environments.ts';
import type { WorkspaceContext } from '../http/context.ts';
import { listRows } from '../http/list-rows.ts';
import { requireEventType } from './event-types.ts';

/** Every event type of the workspace, and whether it is published in the environment. */
export async function listVisibility(ctx: WorkspaceContext, environmentId: string, query: PageQuery) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  return listRows(ctx, query, {
    name: ['visibility', environment.id],
    read: ({ after, take }) =>
      ctx.db.eventType.findMany({
        where: { workspaceId: ctx.workspace.id, ...(after === undefined ? {} : { id: { gt: after } }) },
        orderBy: { id: 'asc' },
        select: { id: true, name: true, published: { where: { environmentId: environment.id } } },
        take,
      }),
    present: (row) => ({
      eventTypeId: toId('evt', row.id),
      eventTypeName: row.name,
      published: row.published.length > 0,
    }),
  });
}

export type SetVisibility = { environmentId: string; eventTypeId: string; published: boolean };

/** Publishes or unpublishes; idempotent, and a repetition leaves no second audit entry. */
export async function setVisibility(ctx: WorkspaceContext, input: SetVisibility) {
  return ctx.change(input.published ? 'event_type.published' : 'event_type.unpublished', async (transaction) => {
    const environment = await requireEnvironment(ctx, transaction, input.environmentId);
    const eventType = await requireEventType(ctx, transaction, input.eventTypeId);
    const key = { environmentId: environment.id, eventTypeId: eventType.id };
    const { count } = input.published
      ? await transaction.publishedEventType.createMany({ data: [key], skipDuplicates: true })
      : await transaction.publishedEventType.deleteMany({ where: key });
    const resourceId = toId('evt', eventType.id);
    const changes = {
      published: { from: !input.published, to: input.published },
      environmentId: { from: toId('env', environment.id), to: toId('env', environment.id) },
    };
    return {
      result: { eventTypeId: resourceId, eventTypeName: eventType.name, published: input.published },
      entry: count === 0 ? null : { resourceId, changes },
    };
  });
}
