import { Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { DeliveryStatus, Endpoint } from '../../../client/resources.ts';
import { StatusFilter } from '../../../components/status-filter.tsx';
import { DeliveriesTable } from '../deliveries/deliveries-page.tsx';

const route = getRouteApi('/w/$workspace/$environment/endpoints/$endpointId');

/** The deliveries of this endpoint. */
export function DeliveriesTab({ endpoint }: { endpoint: Endpoint }) {
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (next: DeliveryStatus | undefined) =>
    void navigate({ search: { tab: 'deliveries', ...(next && { status: next }) }, replace: true });
  return (
    <Stack gap="sm">
      <StatusFilter status={status} onChange={choose} />
      <DeliveriesTable
        search={{ endpoint: endpoint.id, ...(status && { status }) }}
        known={NOTHING}
        onClear={status === undefined ? undefined : () => choose(undefined)}
      />
    </Stack>
  );
}

/** No known names: the columns that need them are hidden. */
const NOTHING = {};
