import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Precheck } from '../../../client/resources.ts';

export type PrecheckInput = { environmentId: string; applicationId?: string; payload?: unknown };

/** A requested precheck. `checks` is its number, which tells it from an earlier one with the same input. */
export type AskedPrecheck = { body: PrecheckInput; checks: number };

/** The decision for each endpoint of the environment in its current state. */
export const precheckQuery = (workspaceId: string, id: string, { body, checks }: AskedPrecheck) =>
  queryOptions({
    queryKey: ['precheck', workspaceId, id, body, checks],
    queryFn: async (): Promise<Precheck> => {
      const path = '/api/workspaces/{workspaceId}/event-types/{id}/precheck';
      const { data } = await client.POST(path, { params: { path: { workspaceId, id } }, body });
      if (data === undefined) throw new Error('The answer is empty');
      return data;
    },
    gcTime: 0,
  });

type TypedPayload = { kind: 'none' } | { kind: 'json'; value: unknown } | { kind: 'invalid' };

/** Parses the typed payload. Blank text means no payload. */
export function readPayload(text: string): TypedPayload {
  if (text.trim() === '') return { kind: 'none' };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: 'json', value };
  } catch {
    return { kind: 'invalid' };
  }
}
