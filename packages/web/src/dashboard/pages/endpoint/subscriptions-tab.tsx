import type { Endpoint } from '../../../client/resources.ts';

export function SubscriptionsTab({ endpoint }: { endpoint: Endpoint }) {
  return <>{endpoint.id}</>;
}
