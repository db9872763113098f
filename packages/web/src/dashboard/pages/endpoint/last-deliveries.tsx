import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Endpoint } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { usePlace } from '../../place.ts';
import { deliveryColumns } from '../deliveries/delivery-columns.tsx';
import { ingestCommand } from '../deliveries/ingest-command.ts';
import { newestDeliveriesQuery } from './newest-deliveries-query.ts';

const EVERY_MS = 10_000;
const SHOWN = 8;

/** The newest deliveries of the endpoint. */
export function LastDeliveries({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const navigate = useNavigate();
  const newest = useQuery(newestDeliveriesQuery(place.workspace.id, endpoint.id, EVERY_MS));
  const columns = useMemo(() => deliveryColumns(new Map()).filter(({ id }) => id !== 'endpoint'), []);
  return (
    <DataTable
      label="Last deliveries"
      columns={columns}
      rowId={({ id }) => id}
      onOpen={({ id: deliveryId }) =>
        void navigate({
          to: '/w/$workspace/$environment/deliveries/$deliveryId',
          params: { workspace: place.workspace.slug, environment: place.environment.slug, deliveryId },
        })
      }
      list={{
        rows: newest.data?.deliveries.slice(0, SHOWN),
        ...queryState(newest),
        firstUse: (
          <FirstUse
            title="No deliveries yet"
            sentence="A delivery appears when an event is sent whose type this endpoint subscribes to."
            curl={ingestCommand(window.location.origin)}
          />
        ),
      }}
    />
  );
}
