import { Button, Checkbox, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import type { EventType } from '../../../client/resources.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { ENDPOINT_STATS } from '../endpoints/endpoint-queries.ts';
import { eventTypesQuery, visibilityQuery } from './event-type-queries.ts';
import { PayloadRetentionSelect } from './payload-retention.tsx';

/** Creates an event type, published in the chosen environments. */
export function AddEventType({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Create event type">
      {opened ? <AddEventTypeForm onAdded={onClose} /> : null}
    </SideSheet>
  );
}

function AddEventTypeForm({ onAdded }: { onAdded: () => void }) {
  const { workspace, environment, environments } = usePlace();
  const form = useForm({
    initialValues: {
      ...{ name: '', description: '', publishIn: [environment.id] },
      payloadRetention: 'workspace' as EventType['payloadRetention'],
    },
  });
  const create = useCreate(onAdded);
  const submit = () => {
    const { description, ...body } = form.values;
    const params = { path: { workspaceId: workspace.id } };
    create.mutate({ params, body: { ...body, ...(description !== '' && { description }) } });
  };
  return (
    <Form draft={form} error={create.error} onSubmit={submit}>
      <Stack gap="md">
        <FormField of="name">
          <TextInput
            label="Name"
            description="Lower case, parts divided by dots, what happened at the end. It cannot be changed later."
            placeholder="order.created"
            required
            data-autofocus
          />
        </FormField>
        <FormField of="description">
          <TextInput label="Description" />
        </FormField>
        <Checkbox.Group label="Publish in" {...form.getInputProps('publishIn')}>
          <Stack gap="sm" mt="xs">
            {environments.map(({ id, name: label }) => (
              <Checkbox key={id} size="xs" value={id} label={label} />
            ))}
          </Stack>
        </Checkbox.Group>
        <PayloadRetentionSelect
          value={form.values.payloadRetention}
          onChange={(value) => form.setFieldValue('payloadRetention', value)}
        />
        <FormRefusal title="The event type was not created" />
        <Button type="submit" size="sm" loading={create.isPending}>
          Create event type
        </Button>
      </Stack>
    </Form>
  );
}

function useCreate(onCreated: () => void) {
  const { workspace, environments } = usePlace();
  const queryClient = useQueryClient();
  return api.useMutation('post', '/api/workspaces/{workspaceId}/event-types', {
    onSuccess: async () => {
      const changed = [
        eventTypesQuery(workspace.id).queryKey,
        ...environments.map(({ id }) => visibilityQuery(workspace.id, id).queryKey),
        // A pattern of an endpoint may subscribe it to the new type.
        ENDPOINT_STATS,
      ];
      await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
      onCreated();
    },
  });
}
