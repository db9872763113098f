import { externalId } from '@posthorn/contract/applications';
import { fromId } from '@posthorn/contract/ids';
import type { Db, DbTransaction } from '@posthorn/db/client';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Route } from '../operation/route.ts';
import { invalid } from '../transport/error.ts';

/** Whether the path of a row names an endpoint that must exist. */
export function namesEndpoint({ path, upserts }: Pick<Route, 'path' | 'upserts'>): boolean {
  return path.startsWith('/endpoints/{') && !upserts;
}

/** The parameters with the endpoint's id in such a path. `id` may be a delivery's if `endpointId` comes before it. */
export const ENDPOINT_PARAMETERS = ['endpointId', 'id'] as const;

type Reach = Pick<WorkspaceContext, 'workspace' | 'bounds'>;

/**
 * The key of the endpoint that `ep_…` or `ext:` and an externalId names; undefined when no endpoint can have the name.
 * It does not check that the endpoint of an `ep_…` exists. An externalId is unique in its environment: without an
 * environment, a name that several environments have is `validation_error`.
 */
export async function endpointKeyOf(
  { workspace, bounds }: Reach,
  db: Pick<Db | DbTransaction, 'endpoint'>,
  reference: string,
  environment?: string,
  /** The field of the request that names the environment; null if it has none. */
  field: string | null = 'query.environment_id',
): Promise<string | undefined> {
  if (!reference.startsWith('ext:')) return fromId('ep', reference);
  const given = externalId.safeParse(reference.slice('ext:'.length));
  if (!given.success) return undefined;
  const environmentId = environment === undefined ? undefined : fromId('env', environment);
  if (environment !== undefined && environmentId === undefined) return undefined;
  const within = environmentId === undefined ? {} : { environmentId };
  const rows = await db.endpoint.findMany({
    where: { AND: [within, bounds], workspaceId: workspace.id, externalId: given.data, deletedAt: null },
    select: { id: true },
    take: 2,
  });
  if (rows.length > 1) {
    const several = `several environments have an endpoint named ${reference}`;
    if (field === null) throw invalid(`endpointId must be an id: ${several}`, 'endpointId');
    throw invalid(`${field.replace('query.', '')} is required: ${several}`, field);
  }
  return rows[0]?.id;
}
