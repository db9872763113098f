import { fromId, toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import type { Request } from 'express';
import { boundsOf, type Principal } from '../auth/principal.ts';
import { ENDPOINT_PARAMETERS, endpointKeyOf, namesEndpoint } from '../endpoints/endpoint-reference.ts';
import { invalid, notFound } from '../transport/error.ts';
import type { Examined } from './parse.ts';
import type { Route } from './route.ts';

/** The parameters of the matched path, by name. */
export function pathParameters(request: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.params).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

type Address = { params: Record<string, string>; query: Request['query'] };

/**
 * The parameters of the path, and the query. If the path has an endpoint's id, `ext:` and an externalId become its id,
 * in the environment that `environment_id` names. An `ep_…` of another environment is `not_found`. An unknown name
 * stays as it is: the operation then says `not_found` in its own words.
 */
export async function readAddress(
  route: Route,
  { params, query: whole }: Address,
  { db, principal }: { db: Db; principal: Principal },
): Promise<Address> {
  const { environment_id: environment, ...query } = whole;
  if (!namesEndpoint(route)) return { params, query: whole };
  if (Array.isArray(environment)) throw invalid('environment_id must be given once', 'query.environment_id');
  const name = ENDPOINT_PARAMETERS.find((one) => params[one] !== undefined);
  const given = name === undefined ? undefined : params[name];
  if (name === undefined || given === undefined) return { params, query };
  const within = typeof environment === 'string' ? environment : undefined;
  if (!given.startsWith('ext:')) {
    if (within !== undefined && !(await isInEnvironment(db, given, within))) throw notFound('Endpoint');
    return { params, query };
  }
  const reach = { workspace: principal.workspace, bounds: boundsOf(principal) };
  const key = await endpointKeyOf(reach, db, given, within);
  return { params: key === undefined ? params : { ...params, [name]: toId('ep', key) }, query };
}

/** The examined query, with `environment_id` among the names that a caller may have meant. */
export function withEnvironment(route: Route, examined: Examined): Examined {
  if (!namesEndpoint(route)) return examined;
  return { ...examined, unknown: examined.unknown.map((one) => ({ ...one, known: [...one.known, 'environment_id'] })) };
}

/**
 * Whether the endpoint is in the environment, even if it is deleted: its history can be read. The operation checks
 * whether the caller reaches it.
 */
async function isInEnvironment(db: Db, endpoint: string, environment: string): Promise<boolean> {
  const [id, environmentId] = [fromId('ep', endpoint), fromId('env', environment)];
  if (id === undefined || environmentId === undefined) return false;
  return (await db.endpoint.count({ where: { id, environmentId } })) > 0;
}
