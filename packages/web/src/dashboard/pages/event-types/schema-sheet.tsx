import { Alert, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SchemaView } from '../../../components/schema-view.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { AgentFilters } from './agent-filters.tsx';
import { Audience } from './audience.tsx';
import { PayloadRetention } from './payload-retention.tsx';
import { readPayload } from './precheck-queries.ts';
import { schemaBody } from './schema-body.ts';
import { SchemaModes } from './schema-modes.tsx';
import { useSchemaCheck, useSchemaSave } from './schema-queries.ts';
import { SchemaReport } from './schema-report.tsx';
import { SearchKeys } from './search-keys.tsx';

/** The schema and the example of a type, and how environments check its payloads. `eventType` is null while closed. */
export function SchemaSheet({ eventType, onClose }: { eventType: EventType | null; onClose: () => void }) {
  return (
    <SideSheet opened={eventType !== null} onClose={onClose} title="Schema, payloads and portals">
      {eventType === null ? null : <Content key={eventType.id} eventType={eventType} onSaved={onClose} />}
    </SideSheet>
  );
}

function Content({ eventType, onSaved }: { eventType: EventType; onSaved: () => void }) {
  const place = usePlace();
  return (
    <Stack gap="lg">
      <Text size="sm">
        What the payloads of <span className="mono">{eventType.name}</span> look like. Receivers see it in the
        catalogue.
      </Text>
      <Audience eventType={eventType} />
      <SchemaModes eventType={eventType} />
      <PayloadRetention eventType={eventType} />
      <SearchKeys eventType={eventType} />
      <AgentFilters eventType={eventType} />
      {mayChange(place) ? (
        <SchemaForm eventType={eventType} onSaved={onSaved} />
      ) : eventType.schema === null ? (
        <Text size="sm">The type has no schema.</Text>
      ) : (
        <SchemaView schema={eventType.schema} what={`the schema of ${eventType.name}`} />
      )}
    </Stack>
  );
}

/** A change must be checked before it is saved: the form shows its effects on receivers. */
function SchemaForm({ eventType, onSaved }: { eventType: EventType; onSaved: () => void }) {
  const [schema, setSchema] = useState(() => textOf(eventType.schema));
  const [example, setExample] = useState(() => textOf(eventType.example));
  const check = useSchemaCheck(eventType.id);
  const save = useSchemaSave(eventType.id, onSaved);
  const input = schemaBody(schema, example);
  const change = (set: (text: string) => void) => (text: string) => {
    set(text);
    check.reset();
    save.reset();
  };
  return (
    <Stack gap="sm">
      <JsonField
        label="JSON Schema"
        description="Draft 2020-12. Empty for none."
        text={schema}
        onChange={change(setSchema)}
      />
      <JsonField label="Example" description="Test deliveries send it." text={example} onChange={change(setExample)} />
      {check.error ? <ErrorNotice title="The schema cannot be used" error={check.error} /> : null}
      {save.error ? <ErrorNotice title="Not saved" error={save.error} /> : null}
      {check.data ? <SchemaReport report={check.data} /> : null}
      <Group>
        <Button
          variant="default"
          disabled={input === undefined}
          loading={check.isPending}
          onClick={() => input && check.mutate(input)}
        >
          Check the change
        </Button>
        <Button
          disabled={input === undefined || check.data === undefined}
          loading={save.isPending}
          onClick={() => input && save.mutate(input)}
        >
          Save
        </Button>
      </Group>
      {check.data ? null : <Alert>Check the change before you save it: it may break receivers.</Alert>}
    </Stack>
  );
}

type FieldProps = { label: string; description: string; text: string; onChange: (text: string) => void };

function JsonField({ label, description, text, onChange }: FieldProps) {
  return (
    <Textarea
      label={label}
      description={description}
      autosize
      minRows={4}
      maxRows={16}
      size="sm"
      styles={{ input: { fontFamily: 'var(--mono)' } }}
      value={text}
      error={readPayload(text).kind === 'invalid' ? 'This is not JSON.' : undefined}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value, null, 2);
}
