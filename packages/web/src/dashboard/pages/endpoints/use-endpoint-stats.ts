import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from '../../../client/api.ts';
import { nextCursor } from '../../../client/next-cursor.ts';
import type { EndpointStats } from '../../../client/resources.ts';
import { type Place, usePlace } from '../../place.ts';
import { ENDPOINT_STATS } from './endpoint-queries.ts';

const PAGE = 100;
const FRESH_MS = 60_000;
const FIRST: string | null = null;

export type EndpointStatsRead = {
  byId: ReadonlyMap<string, EndpointStats>;
  /** True if the statistics of every endpoint have been read. */
  isWhole: boolean;
  /** True if a row without statistics may still get them. */
  isReading: boolean;
  /** Reads the statistics of the next 100 endpoints. */
  readMore: () => void;
};

/**
 * The last 24 hours of the environment's endpoints, or of one application's. The first 100 endpoints are read at once.
 * Others are read when a row that needs them is shown (`readMore`).
 */
export function useEndpointStats(applicationId?: string): EndpointStatsRead {
  const place = usePlace();
  const query = useInfiniteQuery({
    queryKey: [...ENDPOINT_STATS, place.environment.id, applicationId ?? null],
    queryFn: ({ pageParam }) => readPage(place, applicationId, pageParam),
    initialPageParam: FIRST,
    getNextPageParam: ({ next }) => next,
    staleTime: FRESH_MS,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage } = query;
  return useMemo(
    () => ({
      byId: new Map(data?.pages.flatMap(({ rows }) => rows)),
      isWhole: data !== undefined && !hasNextPage,
      isReading: error === null && (data === undefined || hasNextPage),
      readMore: () => {
        // Every row in view calls this. Without the option, each call would cancel the request of the one before.
        if (hasNextPage && !isFetching && error === null) void fetchNextPage({ cancelRefetch: false });
      },
    }),
    [data, error, hasNextPage, isFetching, fetchNextPage],
  );
}

type Page = { rows: (readonly [string, EndpointStats])[]; next: string | null };

async function readPage(place: Place, applicationId: string | undefined, cursor: string | null): Promise<Page> {
  const { data, response } = await client.GET('/api/workspaces/{workspaceId}/endpoints', {
    params: {
      path: { workspaceId: place.workspace.id },
      query: {
        environment_id: place.environment.id,
        include: 'stats',
        limit: PAGE,
        ...(applicationId && { application_id: applicationId }),
        ...(cursor && { cursor }),
      },
    },
  });
  return {
    rows: (data ?? []).flatMap(({ id, stats }) => (stats === undefined ? [] : [[id, stats] as const])),
    next: nextCursor(response),
  };
}
