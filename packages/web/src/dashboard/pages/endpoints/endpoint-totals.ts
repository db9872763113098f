import { api } from '../../../client/api.ts';
import type { Stats } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';

export const TOTALS_EVERY_MS = 30_000;

export type EndpointTotals = { attempts: number; failed: number; deadLettered: number };

/** The last 24 hours of the environment's busiest endpoints. The service returns at most 50. */
export const endpointTotalsQuery = ({ workspace, environment }: Place) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/stats',
    {
      params: {
        path: { workspaceId: workspace.id },
        query: { environment_id: environment.id, step: 'hour', group_by: 'endpoint' },
      },
    },
    { refetchInterval: TOTALS_EVERY_MS },
  );

/** The totals by endpoint id. */
export function totalsById(stats: Stats | undefined): ReadonlyMap<string, EndpointTotals> {
  const groups = stats?.groups ?? [];
  return new Map(
    groups.map(({ key, totals: { attempts, failed, deadLettered } }) => {
      return [key ?? '', { attempts: attempts ?? 0, failed: failed ?? 0, deadLettered }];
    }),
  );
}

/** The percentage of failed attempts, such as `27 %`; a dash without attempts. */
export function failedShare({ attempts, failed }: Pick<EndpointTotals, 'attempts' | 'failed'>): string {
  if (attempts === 0) return '–';
  const percent = (failed / attempts) * 100;
  if (percent > 0 && percent < 1) return '< 1 %';
  return `${percent > 99 && percent < 100 ? 99 : Math.round(percent)} %`;
}

/** The most endpoints that the service returns. */
const MAX_ENDPOINTS = 50;

/** The number of endpoints whose attempts all failed. There may be more when only the busiest endpoints are known. */
export function failingEndpoints(stats: Stats | undefined): { count: number; areOthersUnknown: boolean } {
  const all = [...totalsById(stats).values()];
  return {
    count: all.filter(({ attempts, failed }) => attempts > 0 && failed === attempts).length,
    areOthersUnknown: all.length >= MAX_ENDPOINTS,
  };
}
