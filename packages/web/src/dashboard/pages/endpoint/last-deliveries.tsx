import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { useHrefOf, usePlace } from '../../place.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { ingestCommand } from '../deliveries/ingest-command.ts';
import { useOpenDelivery } from '../deliveries/use-open-delivery.ts';
import { newestDeliveriesQuery } from './newest-deliveries-query.ts';

const EVERY_MS = 10_000;
const SHOWN = 8;

/** The newest deliveries of the endpoint. */
export function LastDeliveries({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const newest = useQuery(newestDeliveriesQuery(place.workspace.id, endpoint.id, EVERY_MS));
  const hrefOf = useHrefOf();
  const columns = useMemo(
    () => deliveryColumns(hrefOf, {}).filter(({ id }) => id !== 'endpoint' && id !== 'customer'),
    [hrefOf],
  );
  return (
    <DataTable
      label="Last deliveries"
      columns={columns}
      rowId={({ id }) => id}
      {...useOpenDelivery()}
      list={{
        rows: newest.data?.deliveries.slice(0, SHOWN),
        ...queryState(newest),
        firstUse: (
          <FirstUse
            title="No deliveries yet"
            sentence="A delivery appears when an event is sent whose type this endpoint subscribes to."
            curl={ingestCommand(window.location.origin, endpoint.applicationId ?? '*')}
          />
        ),
      }}
    />
  );
}
