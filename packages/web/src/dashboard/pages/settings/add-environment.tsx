import { Button, Stack } from '@mantine/core';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { usePlace } from '../../place.ts';
import { NameAndSlug, useNameAndSlug } from './name-and-slug.tsx';
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
  const params = { path: { workspaceId: workspace.id } };
  const add = usePlaceChange(
    () => client.POST('/api/workspaces/{workspaceId}/environments', { params, body: { name, slug } }),
    onAdded,
  );
  return (
    <form onSubmit={onSubmit(() => add.mutate(undefined))}>
      <Stack gap="md">
        <NameAndSlug of={draft} noun="environment" example="Staging" error={add.error} />
        {add.error ? <ErrorNotice title="The environment was not added" error={add.error} /> : null}
        <Button type="submit" size="sm" loading={add.isPending}>
          Add environment
        </Button>
      </Stack>
    </form>
  );
}
