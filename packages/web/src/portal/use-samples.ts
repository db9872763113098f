import { useQuery } from '@tanstack/react-query';
import { api, client } from '../client/api.ts';
import { exampleText } from '../components/sample/example-text.ts';
import type { Samples } from '../components/sample/samples.ts';
import { PORTAL_TEXTS } from './reader-texts.ts';
import { useMay } from './session.ts';

const RECENT = 10;

/** The example of an event type, and the bodies of its newest messages where the session may read them. */
export function useSamples(type: { name: string; example: unknown } | undefined): Samples {
  const mayRead = [useMay('deliveries:read'), useMay('payloads:read')].every(Boolean);
  const { data } = useQuery({
    ...api.queryOptions('get', '/api/portal/events', {
      params: { query: { event_type: type?.name ?? '', limit: RECENT } },
    }),
    enabled: type !== undefined && mayRead,
  });
  return {
    example: exampleText(type),
    recent: data?.events.filter(({ hasPayload }) => hasPayload) ?? [],
    read: async (id) => {
      const params = { path: { id }, query: { include: 'payload' } } as const;
      return (await client.GET('/api/portal/events/{id}', { params })).data?.payload ?? null;
    },
    texts: PORTAL_TEXTS,
  };
}
