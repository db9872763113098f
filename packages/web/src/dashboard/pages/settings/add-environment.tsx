import { Button, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { usePlace } from '../../place.ts';
import { slugOf } from './slug-of.ts';
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
  const [name, setName] = useState('');
  const [ownSlug, setOwnSlug] = useState<string>();
  const slug = ownSlug ?? slugOf(name);
  const params = { path: { workspaceId: workspace.id } };
  const add = usePlaceChange(
    () => client.POST('/api/workspaces/{workspaceId}/environments', { params, body: { name, slug } }),
    onAdded,
  );
  return (
    <form onSubmit={onSubmit(() => add.mutate(undefined))}>
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="Staging"
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <TextInput
          label="Slug"
          description="The environment’s part of an address: lower case, digits and hyphens."
          required
          value={slug}
          onChange={({ currentTarget }) => setOwnSlug(currentTarget.value)}
        />
        {add.error ? <ErrorNotice title="The environment was not added" error={add.error} /> : null}
        <Button type="submit" size="sm" loading={add.isPending}>
          Add environment
        </Button>
      </Stack>
    </form>
  );
}
