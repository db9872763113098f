import { Select } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { EventType } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { eventTypesQuery } from './event-type-queries.ts';

type Retention = EventType['payloadRetention'];

const CHOICES: { value: Retention; label: string; words: string }[] = [
  { value: 'workspace', label: 'As long as the workspace', words: 'Payloads can be looked at and sent again.' },
  {
    value: 'until_ended',
    label: 'Until every delivery has ended',
    words: 'A payload is erased once it is delivered everywhere. Dead letters keep it, so that they can be retried.',
  },
  {
    value: 'none',
    label: 'Until the first attempt',
    words: 'Each delivery has one attempt. The retry schedule does not apply, and nothing can be sent again.',
  },
];

type Choice = { value: Retention; onChange: (value: Retention) => void; disabled?: boolean };

/** Selects how long the payloads of a type are kept. */
export function PayloadRetentionSelect({ value, onChange, disabled = false }: Choice) {
  return (
    <Select
      label="Keep payloads"
      description={CHOICES.find((choice) => choice.value === value)?.words}
      size="sm"
      allowDeselect={false}
      disabled={disabled}
      data={CHOICES.map((choice) => ({ value: choice.value, label: choice.label }))}
      value={value}
      onChange={(chosen) => {
        const choice = CHOICES.find((one) => one.value === chosen);
        if (choice !== undefined) onChange(choice.value);
      }}
    />
  );
}

/** Saves the choice for an existing type at once. It applies to events that are accepted from then on. */
export function PayloadRetention({ eventType }: { eventType: EventType }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const change = useMutation({
    mutationFn: (payloadRetention: Retention) =>
      client.PATCH('/api/workspaces/{workspaceId}/event-types/{id}', {
        params: { path: { workspaceId: place.workspace.id, id: eventType.id } },
        body: { payloadRetention },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: eventTypesQuery(place.workspace.id).queryKey }),
  });
  return (
    <div>
      <PayloadRetentionSelect
        value={change.isPending ? change.variables : (change.data?.data ?? eventType).payloadRetention}
        disabled={change.isPending || !mayChange(place)}
        onChange={(value) => change.mutate(value)}
      />
      {change.error ? <ErrorNotice title="Not changed" error={change.error} /> : null}
    </div>
  );
}
