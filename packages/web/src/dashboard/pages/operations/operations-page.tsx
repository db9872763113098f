import { getRouteApi } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Endpoint, Operation } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { ListFooter } from '../../../components/list-footer.tsx';
import { isOpen, OPERATION_STATUS_WORDS } from '../../../components/operation/operation-words.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { useOperations } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { useEndpointChoices } from '../endpoints/use-endpoint-choices.ts';
import { CancelOperation } from './cancel-operation.tsx';
import { operationColumns } from './operation-columns.tsx';

const route = getRouteApi('/w/$workspace/$environment/operations');

/** The operations of the whole workspace, such as recoveries and bulk retries, newest first. */
export function OperationsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { byId, choices } = useEndpointChoices(search.endpoint);
  const clear = () => void navigate({ search: {}, replace: true });
  return (
    <>
      <PageHeader title="Operations" line="Work on many deliveries at once, in all environments of the workspace." />
      <FilterBar
        fields={[
          { kind: 'select', name: 'status', label: 'Status', options: STATUSES },
          { kind: 'search', name: 'endpoint', label: 'Endpoint', choices },
        ]}
        values={search}
        onChange={(name, value) => void navigate({ search: (before) => ({ ...before, [name]: value }), replace: true })}
        onClear={clear}
      />
      <OperationsTable endpoints={byId} onClear={Object.keys(search).length > 0 ? clear : undefined} />
    </>
  );
}

const STATUSES = Object.entries(OPERATION_STATUS_WORDS).map(([value, label]) => ({ value, label }));

function OperationsTable(props: {
  endpoints: ReadonlyMap<string, Endpoint> | undefined;
  onClear: (() => void) | undefined;
}) {
  const { endpoints, onClear } = props;
  const place = usePlace();
  const isEditor = mayChange(place);
  const { list, pages, rows } = useOperations(place.workspace.id, route.useSearch());
  const [cancelling, setCancelling] = useState<Operation | null>(null);
  const canCancel = isEditor && rows?.some(isOpen) === true;
  const columns = useMemo(() => {
    return operationColumns({ endpoints, onCancel: canCancel ? setCancelling : undefined });
  }, [endpoints, canCancel]);
  return (
    <>
      <DataTable
        label="Operations"
        columns={columns}
        rowId={({ id }) => id}
        onSeen={pages.onSeen}
        onEnd={pages.onEnd}
        footer={rows && rows.length > 0 ? <ListFooter count={rows.length} list={list} /> : undefined}
        list={{
          ...pages.state,
          rows,
          onClear,
          firstUse: (
            <FirstUse
              title="No operations yet"
              sentence="Recover an endpoint from its menu, or retry and cancel many deliveries from their list."
              curl={recoverCommand(window.location.origin, place.workspace.id)}
            />
          ),
        }}
      />
      <CancelOperation operation={cancelling} onClose={() => setCancelling(null)} />
    </>
  );
}

function recoverCommand(baseUrl: string, workspaceId: string): string {
  return [
    `curl -X POST "${baseUrl}/management/v1/workspaces/${workspaceId}/endpoints/$ENDPOINT_ID/recover" \\`,
    '  -H "Authorization: Bearer $MANAGEMENT_TOKEN" -H "Content-Type: application/json" \\',
    `  -d '{"since":"2026-01-01T00:00:00Z","mode":"failed","dryRun":true}'`,
  ].join('\n');
}
