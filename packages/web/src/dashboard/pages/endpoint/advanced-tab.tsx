import type { Endpoint } from '../../../client/resources.ts';

export function AdvancedTab({ endpoint }: { endpoint: Endpoint }) {
  return <>{endpoint.id}</>;
}
