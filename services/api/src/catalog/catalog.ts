import { LIMITS } from '@posthorn/contract/limits';
import type { PageQuery } from '@posthorn/contract/primitives';
import { requireEnvironment } from '../environments/environments.ts';
import { presentEventType, requireEventType, visibleTypes } from '../event-types/event-types.ts';
import { listTypes, readTypeKeys, readTypes } from '../event-types/type-pages.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { jsonText } from '../transport/answer.ts';
import { ApiError } from '../transport/error.ts';
import { sizedParts } from '../transport/pages.ts';
import { type DescribedType, describeType, writeCatalog } from './catalog-document.ts';

/**
 * The event types that are published in the environment, oldest first (docs/interface.md, Catalogue). `list` is the list's
 * name, to which its cursors are bound.
 */
export async function listCatalog(ctx: WorkspaceContext, environmentId: string, query: PageQuery, list = 'catalogue') {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  return listTypes(ctx, query, { name: [list, environment.id], environmentId: environment.id });
}

/** An event type of the catalogue; `not_found` when it is not published in the environment. */
export async function getCatalogEventType(ctx: WorkspaceContext, environmentId: string, id: string) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  const published = { published: { some: { environmentId: environment.id } } };
  return presentEventType(await requireEventType(ctx, ctx.db, id, { AND: [published, visibleTypes(ctx)] }));
}

const MAX_BYTES = 8 * 1024 * 1024;

/** The catalogue as an OpenAPI document. Its size is bounded, because it is a single answer. */
export async function describeCatalog(ctx: WorkspaceContext, environmentId: string) {
  const environment = await requireEnvironment(ctx, ctx.db, environmentId);
  const page = { environmentId: environment.id, after: undefined, take: LIMITS.eventTypesPerWorkspace };
  const keys = await readTypeKeys(ctx, page);
  requireSmall(keys.reduce((sum, { bytes }) => sum + bytes, 0));
  const types: DescribedType[] = [];
  let size = 0;
  for (const ids of sizedParts(keys)) {
    for (const row of await readTypes(ctx, ids)) {
      const described = describeType(presentEventType(row));
      // Check again: references are longer in the document than in the schemas.
      size += described.webhook.length + (described.schema?.length ?? 0);
      requireSmall(size);
      types.push(described);
    }
  }
  return jsonText(writeCatalog({ workspace: ctx.workspace.name, environment: environment.name, types }));
}

function requireSmall(bytes: number): void {
  if (bytes > MAX_BYTES) {
    throw new ApiError('limit_reached', 'The catalogue is larger than 8 MiB; read it by pages instead');
  }
}
