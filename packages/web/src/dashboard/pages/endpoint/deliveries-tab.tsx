import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DeliveryStatus, Endpoint } from '../../../client/resources.ts';
import { StatusFilter } from '../../../components/status-filter.tsx';
import { DeliveriesTable } from '../deliveries/deliveries-page.tsx';

const route = getRouteApi('/w/$workspace/$environment/endpoints/$endpointId');

/** The list of deliveries, of this endpoint alone. */
export function DeliveriesTab({ endpoint }: { endpoint: Endpoint }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const endpoints = useMemo(() => [endpoint], [endpoint]);
  const choose = (next: DeliveryStatus | undefined) =>
    void navigate({ search: { tab: 'deliveries', ...(next && { status: next }) }, replace: true });
  return (
    <Stack gap="sm">
      <StatusFilter status={status} onChange={choose} />
      <DeliveriesTable
        search={{ endpoint: endpoint.id, ...(status && { status }) }}
        endpoints={endpoints}
        onClear={status === undefined ? undefined : () => choose(undefined)}
      />
    </Stack>
  );
}
