import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { prettyJson } from '../../../components/pretty-json.ts';
import { usePlace } from '../../place.ts';
import { subscriptionsQuery } from '../endpoints/endpoint-queries.ts';
import { exampleText } from './example-text.ts';
import { FilterResult } from './filter-result.tsx';
import type { SubscriptionRow } from './subscription-columns.tsx';

type Props = { endpointId: string; row: SubscriptionRow; onSaved: () => void };

const FIRST_FILTER = '{\n  "data.id": { "exists": true }\n}';

/** The filter of a subscription, tested against a sample payload while one types. */
export function FilterEditor({ endpointId, row, onSaved }: Props) {
  const filter = row.subscription?.filter ?? null;
  const [text, setText] = useState(filter === null ? FIRST_FILTER : JSON.stringify(filter, null, 2));
  const [sample, setSample] = useState(() => exampleText(row));
  const save = useSaveFilter({ endpointId, row, onSaved });
  const isJson = prettyJson(text) !== undefined;
  return (
    <Stack gap="md">
      <JsonField label="Filter" text={text} onChange={setText} />
      <JsonField label="Sample payload" text={sample} onChange={setSample} />
      <FilterResult filter={text} payload={sample} />
      {save.error ? <ErrorNotice title="The filter was not saved" error={save.error} /> : null}
      <Group gap="sm">
        <Button size="sm" disabled={!isJson} loading={save.isPending} onClick={() => save.mutate(text)}>
          Save filter
        </Button>
        {filter === null ? null : (
          <Button size="sm" variant="default" onClick={() => save.mutate('null')}>
            Remove filter
          </Button>
        )}
      </Group>
      <Text size="xs" c="dimmed">
        Only events that match are delivered, from about a second after it is saved. A path names keys with dots between
        them. Operators: eq, ne, in, gt, gte, lt, lte, exists, startsWith, endsWith, contains; and, or, not.
      </Text>
    </Stack>
  );
}

type FieldProps = { label: string; text: string; onChange: (text: string) => void };

function JsonField({ label, text, onChange }: FieldProps) {
  return (
    <Textarea
      label={label}
      autosize
      minRows={3}
      maxRows={14}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
      error={prettyJson(text) === undefined ? 'This is not JSON.' : undefined}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Sends the filter as it was typed; `null` removes it. */
function useSaveFilter({ endpointId, row, onSaved }: Props) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const path = { workspaceId: workspace.id, id: endpointId, eventTypeId: row.id };
  return useMutation({
    mutationFn: (text: string) =>
      client.PATCH('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions/{eventTypeId}', {
        params: { path },
        body: { filter: {} },
        bodySerializer: () => `{"filter":${text}}`,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: subscriptionsQuery(workspace.id, endpointId).queryKey });
      onSaved();
    },
  });
}
