import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import type { EventType } from '../../../client/resources.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { FirstUse } from '../../../components/first-use.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import type { ListState } from '../../../components/table-state.tsx';
import { queryState } from '../../../components/table-state.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { AddEventType } from './add-event-type.tsx';
import { eventTypeColumns } from './event-type-columns.tsx';
import { eventTypesQuery } from './event-type-queries.ts';
import { matrixRows } from './folded-types.ts';
import { PrecheckSheet } from './precheck-sheet.tsx';
import { SchemaSheet } from './schema-sheet.tsx';

const route = getRouteApi('/w/$workspace/$environment/event-types');

/** The matrix of publications: a row for each event type, a column for each environment, a switch in each cell. */
export function EventTypesPage() {
  const place = usePlace();
  const { search } = route.useSearch();
  const navigate = route.useNavigate();
  const types = useQuery(eventTypesQuery(place.workspace.id));
  const [isAdding, { open: add, close: closeAdd }] = useDisclosure();
  const rows = useMemo(
    () => types.data?.filter(({ name }) => name.includes((search ?? '').toLowerCase())),
    [types.data, search],
  );
  const clear = () => void navigate({ search: {}, replace: true });
  const addButton = mayChange(place) ? <Button onClick={add}>Create event type</Button> : undefined;
  return (
    <>
      <PageHeader
        title="Event types"
        line="A type is delivered in the environments in which it is published. A change takes hold within a second."
        actions={<Actions>{types.data && types.data.length > 0 ? addButton : null}</Actions>}
      />
      <FilterBar
        fields={FIELDS}
        values={{ search }}
        onChange={(_name, value) =>
          void navigate({ search: value === undefined ? {} : { search: value }, replace: true })
        }
        onClear={clear}
        summary={types.data && `${rows?.length} of ${types.data.length}`}
      />
      <EventTypesTable
        list={{
          rows,
          ...queryState(types),
          onClear: types.data && types.data.length > 0 ? clear : undefined,
          firstUse: (
            <FirstUse
              title="No event types yet"
              sentence="An event type names what happened, such as order.created. Endpoints subscribe to types."
              action={addButton}
              curl={createCommand(window.location.origin, place.workspace.id, place.environment.id)}
            />
          ),
        }}
      />
      <AddEventType opened={isAdding} onClose={closeAdd} />
    </>
  );
}

function Actions({ children }: { children: ReactNode }) {
  return (
    <>
      <ButtonLink
        variant="default"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/operational-events"
      >
        Operational events
      </ButtonLink>
      {children}
    </>
  );
}

function EventTypesTable({ list }: { list: ListState<EventType> }) {
  const place = usePlace();
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [prechecked, setPrechecked] = useState<EventType | null>(null);
  const [withSchema, setWithSchema] = useState<EventType | null>(null);
  const columns = useMemo(() => {
    const onFold = (prefix: string) => setFolded((before) => toggled(before, prefix));
    return eventTypeColumns(place, { onPrecheck: setPrechecked, onSchema: setWithSchema, onFold });
  }, [place]);
  const rows = useMemo(() => list.rows && matrixRows(list.rows, folded), [list.rows, folded]);
  return (
    <>
      <DataTable label="Event types" columns={columns} rowId={({ id }) => id} list={{ ...list, rows }} />
      <PrecheckSheet eventType={prechecked} onClose={() => setPrechecked(null)} />
      <SchemaSheet eventType={withSchema} onClose={() => setWithSchema(null)} />
    </>
  );
}

function toggled(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  return set.has(one) ? new Set([...set].filter((other) => other !== one)) : new Set([...set, one]);
}

const FIELDS = [{ kind: 'text', name: 'search', label: 'Part of a name' }] as const;

function createCommand(baseUrl: string, workspaceId: string, environmentId: string): string {
  return [
    `curl -X POST "${baseUrl}/management/v1/workspaces/${workspaceId}/event-types" \\`,
    '  -H "Authorization: Bearer $MANAGEMENT_TOKEN" -H "Content-Type: application/json" \\',
    `  -d '{"name":"order.created","publishIn":["${environmentId}"]}'`,
  ].join('\n');
}
