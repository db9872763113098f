import type { QueryClient } from '@tanstack/react-query';
import { getRouteApi, notFound } from '@tanstack/react-router';
import { useCallback } from 'react';
import { api } from '../client/api.ts';
import type { Environment, OwnWorkspace, User } from '../client/resources.ts';

/** The workspace and environment of a page's address, the user, and the other workspaces and environments. */
export type Place = {
  user: User;
  workspace: OwnWorkspace;
  workspaces: OwnWorkspace[];
  environment: Environment;
  environments: Environment[];
};

export const workspacesQuery = () => api.queryOptions('get', '/api/workspaces');

export const environmentsQuery = (workspaceId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/environments', { params: { path: { workspaceId } } });

/** Loads the place of an address, whose parts are slugs or ids. Throws `notFound` for an unknown one. */
export async function loadPlace(
  queryClient: QueryClient,
  user: User,
  address: { workspace: string; environment: string },
): Promise<Place> {
  const workspaces = await queryClient.ensureQueryData(workspacesQuery());
  const workspace = byAddress(workspaces, address.workspace);
  const environments = await queryClient.ensureQueryData(environmentsQuery(workspace.id));
  return { user, workspace, workspaces, environments, environment: byAddress(environments, address.environment) };
}

/** The place of the current page. */
export function usePlace(): Place {
  return getRouteApi('/w/$workspace/$environment').useRouteContext().place;
}

/** Makes the address of a page by id in the current place, for plain links in rows. Stable between renders. */
export type HrefOf = (page: 'customers' | 'deliveries' | 'endpoints' | 'events', id: string) => string;

export function useHrefOf(): HrefOf {
  const { workspace, environment } = usePlace();
  const root = `/w/${workspace.slug}/${environment.slug}`;
  return useCallback((page, id) => `${root}/${page}/${id}`, [root]);
}

/** The place of the first workspace's default environment; undefined for a user without a workspace. */
export async function firstPlace(queryClient: QueryClient) {
  const [workspace] = await queryClient.fetchQuery(workspacesQuery());
  if (workspace === undefined) return undefined;
  return { workspace: workspace.slug, environment: await defaultEnvironment(queryClient, workspace.id) };
}

/** The slug of a workspace's default environment, which comes first in the list. */
export async function defaultEnvironment(queryClient: QueryClient, workspaceId: string): Promise<string> {
  const [environment] = await queryClient.ensureQueryData(environmentsQuery(workspaceId));
  return environment?.slug ?? '';
}

/** True if a workspace has no endpoint of its own yet. The demo receiver of `npm start` does not count. */
export async function isWorkspaceNew(queryClient: QueryClient, workspaceId: string): Promise<boolean> {
  const params = { path: { workspaceId }, query: { limit: DEMO_RECEIVERS + 1 } };
  const endpoints = await queryClient.fetchQuery({
    ...api.queryOptions('get', '/api/workspaces/{workspaceId}/endpoints', { params }),
    staleTime: 0,
  });
  return endpoints.every(({ metadata }) => Object.hasOwn(metadata, DEMO_RECEIVER));
}

/** A key that `npm start` writes into the metadata of its demo endpoint (devstack/src/demo.ts). */
const DEMO_RECEIVER = 'demoReceiver';
/** The most demo endpoints to expect: each start with another home directory adds one to the same database. */
const DEMO_RECEIVERS = 4;

function byAddress<Item extends { id: string; slug: string }>(items: readonly Item[], address: string): Item {
  const found = items.find(({ id, slug }) => slug === address || id === address);
  if (found === undefined) throw notFound();
  return found;
}
