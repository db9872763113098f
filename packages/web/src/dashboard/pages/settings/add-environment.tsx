import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { NameAndSlug, RequireCustomer, useNameAndSlug } from './name-and-slug.tsx';
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
  const draft = useNameAndSlug();
  const { name, slug } = draft;
  const [requireApplication, setRequired] = useState(true);
  const params = { path: { workspaceId: workspace.id } };
  const add = usePlaceChange(
    () =>
      client.POST('/api/workspaces/{workspaceId}/environments', { params, body: { name, slug, requireApplication } }),
    onAdded,
  );
  return (
    <Form error={add.error} onSubmit={() => add.mutate(undefined)}>
      <Stack gap="md">
        <NameAndSlug of={draft} noun="environment" example="Staging" />
        <RequireCustomer checked={requireApplication} onChange={setRequired} />
        <FormRefusal title="The environment was not added" />
        <Button type="submit" size="sm" loading={add.isPending}>
          Add environment
        </Button>
      </Stack>
    </Form>
  );
}
