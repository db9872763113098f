import { Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Environment, EventType, SchemaMode } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { visibilityQuery } from './event-type-queries.ts';
import { useVisibilityChange } from './schema-queries.ts';

const MODES: { value: SchemaMode; label: string }[] = [
  { value: 'off', label: 'Do not check' },
  { value: 'warn', label: 'Accept and note faults' },
  { value: 'reject', label: 'Refuse what does not fit' },
];

/** Selects for each environment what happens to payloads that do not match the schema. */
export function SchemaModes({ eventType }: { eventType: EventType }) {
  const { environments } = usePlace();
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      {environments.map((environment) => (
        <Mode key={environment.id} eventType={eventType} environment={environment} />
      ))}
    </SimpleGrid>
  );
}

function Mode({ eventType, environment }: { eventType: EventType; environment: Environment }) {
  const place = usePlace();
  const change = useVisibilityChange(eventType.id, environment.id);
  const { data: entry } = useQuery({
    ...visibilityQuery(place.workspace.id, environment.id),
    select: (entries) => entries.find(({ eventTypeId }) => eventTypeId === eventType.id),
  });
  return (
    <div>
      <Select
        label={`Payloads in ${environment.name}`}
        size="sm"
        allowDeselect={false}
        disabled={entry === undefined || change.isPending || !mayChange(place)}
        data={MODES}
        value={entry?.schemaMode ?? null}
        onChange={(value) => {
          const schemaMode = MODES.find((one) => one.value === value)?.value;
          if (schemaMode !== undefined) change.mutate({ schemaMode });
        }}
      />
      {change.error ? <ErrorNotice title="Not changed" error={change.error} /> : null}
    </div>
  );
}
