import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Delivery, Endpoint } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';
import { SPANS, type Span } from './overview-search.ts';

const EVERY_MS = 15_000;
const SHOWN = 8;
const TAIL = 20;

/** What happened in the environment in a span, a point for each step; asked for again while it is shown. */
export const statsQuery = ({ workspace, environment }: Place, span: Span) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, step: SPANS[span] },
      },
    },
    { refetchInterval: EVERY_MS, placeholderData: keepPreviousData },
  );

/** The newest deliveries of the environment that ended as dead letters. */
export const deadLettersQuery = ({ workspace, environment }: Place) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/deliveries',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, status: 'dead_letter', limit: SHOWN },
      },
    },
    { refetchInterval: EVERY_MS },
  );

/** The newest deliveries of the environment, before the live view tells of later ones. */
export const newestQuery = ({ workspace, environment }: Place) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/deliveries', {
    params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: TAIL } },
  });

/** The endpoints that fail, or were deactivated because they failed; at most 8. */
export function failingOf(endpoints: readonly Endpoint[]): Endpoint[] {
  const fails = ({ isActive, health, disabledReason }: Endpoint) =>
    isActive ? health !== 'healthy' : disabledReason === 'failing' || disabledReason === 'gone';
  return endpoints.filter(fails).slice(0, SHOWN);
}

/** The URL of an endpoint that is known, else its id. */
export function urlOf(endpoints: readonly Endpoint[] | undefined, { endpointId }: Delivery): string {
  return endpoints?.find(({ id }) => id === endpointId)?.url ?? endpointId;
}
