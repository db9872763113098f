import type { Endpoint } from '../../../client/resources.ts';

export function SecurityTab({ endpoint }: { endpoint: Endpoint }) {
  return <>{endpoint.id}</>;
}
