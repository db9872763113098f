import { keepPreviousData } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { Stats } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';
import { spanBefore } from './change-words.ts';
import { SPANS, type Span } from './overview-search.ts';

const EVERY_MS = 15_000;
const PREVIOUS_FRESH_MS = 60_000;
const TAIL = 20;

/** The environment's statistics in a time span, with a point for each step. Refetched while shown. */
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

/** The totals of all endpoints in the last 24 hours. Every page shows them, so they are refetched less often. */
export const dayTotalsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, step: SPANS['24h'] },
      },
    },
    { refetchInterval: EVERY_MS * 2 },
  );

/** The totals of the span just before a response's span. `shown` is that response. */
export const previousStatsQuery = (place: Place, shown: Pick<Stats, 'from' | 'to' | 'step'> | undefined) => {
  const { from = '', to = '', step = 'hour' } = shown ?? {};
  const query = { environment_id: place.environment.id, step, ...spanBefore(from, to) };
  const params = { path: { workspaceId: place.workspace.id }, query };
  return api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    { params },
    { enabled: shown !== undefined, staleTime: PREVIOUS_FRESH_MS, placeholderData: keepPreviousData },
  );
};

/**
 * The newest deliveries of the environment, before the live view tells of later ones. They are asked for again now and then: the
 * browser shows the page no sign that a stream has fallen silent because a proxy or a network dropped it.
 */
export const newestQuery = ({ workspace, environment }: Place) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/deliveries',
    { params: { path: { workspaceId: workspace.id }, query: { environment_id: environment.id, limit: TAIL } } },
    { refetchInterval: EVERY_MS * 4 },
  );
