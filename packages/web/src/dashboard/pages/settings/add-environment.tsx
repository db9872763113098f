import { Button, Stack } from '@mantine/core';
import { client } from '../../../client/api.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { PlaceFields, usePlaceForm } from './name-and-slug.tsx';
import { usePlaceChange } from './use-place-change.ts';

export function AddEnvironment({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add environment">
      {opened ? <AddEnvironmentForm onAdded={onClose} /> : null}
    </SideSheet>
  );
}

function AddEnvironmentForm({ onAdded }: { onAdded: () => void }) {
  const { workspace } = usePlace();
  const form = usePlaceForm();
  const params = { path: { workspaceId: workspace.id } };
  const add = usePlaceChange(
    () => client.POST('/api/workspaces/{workspaceId}/environments', { params, body: form.values }),
    onAdded,
  );
  return (
    <Form draft={form} error={add.error} onSubmit={() => add.mutate(undefined)}>
      <Stack gap="md">
        <PlaceFields noun="environment" example="Staging" />
        <FormRefusal title="The environment was not added" />
        <Button type="submit" size="sm" loading={add.isPending}>
          Add environment
        </Button>
      </Stack>
    </Form>
  );
}
