import { SimpleGrid } from '@mantine/core';
import { Fact } from '../../components/fact.tsx';
import { Id } from '../../components/id.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import type { PortalEndpoint } from '../portal-queries.ts';

/** What the endpoint is, and how it fared in the last 24 hours. */
export function OverviewTab({ endpoint }: { endpoint: PortalEndpoint }) {
  const { stats } = endpoint;
  const hours = stats?.hours ?? [];
  const succeeded = hours.reduce((sum, hour) => sum + hour.succeeded, 0);
  const failed = hours.reduce((sum, hour) => sum + hour.failed, 0);
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
      <Fact name="Attempts in 24 hours">
        {(succeeded + failed).toLocaleString('en')}, of which {failed.toLocaleString('en')} failed
      </Fact>
      <Fact name="Last success">
        <RelativeTime at={stats?.lastSuccessAt ?? null} />
      </Fact>
      <Fact name="Last failure">
        <RelativeTime at={stats?.lastFailureAt ?? null} />
      </Fact>
      <Fact name="Created">
        <RelativeTime at={endpoint.createdAt} />
      </Fact>
      <Fact name="Description">{endpoint.description || '–'}</Fact>
      <Fact name="Id">
        <Id value={endpoint.id} />
      </Fact>
    </SimpleGrid>
  );
}
