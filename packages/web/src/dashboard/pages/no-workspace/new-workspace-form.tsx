import { Button, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { client } from '../../../client/api.ts';
import { announceUnopened } from '../../../components/announce-change.tsx';
import { Form, FormRefusal } from '../../../components/form.tsx';
import { useHeldSheet } from '../../../components/hold-sheet.ts';
import { defaultEnvironment, workspacesQuery } from '../../place.ts';
import { PlaceFields, usePlaceForm } from '../settings/name-and-slug.tsx';

/** Creates a workspace that the user owns, and opens it. */
export function NewWorkspaceForm({ onCreated }: { onCreated?: () => void }) {
  const form = usePlaceForm();
  const create = useNewWorkspace(onCreated);
  useHeldSheet(create.isPending ? 'answer' : null);
  return (
    <Form draft={form} error={create.error} onSubmit={() => create.mutate(form.values)}>
      <Stack gap="md" ta="left">
        <PlaceFields noun="workspace" example="Acme" />
        <FormRefusal title="The workspace was not created" />
        <Button type="submit" size="sm" loading={create.isPending}>
          Create workspace
        </Button>
      </Stack>
    </Form>
  );
}

function useNewWorkspace(onCreated: (() => void) | undefined) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const open = async ({ id, slug }: { id: string; slug: string }) => {
    const environment = await defaultEnvironment(queryClient, id);
    await router.navigate({ to: '/w/$workspace/$environment', params: { workspace: slug, environment } });
  };
  const showUnopened = async (error: unknown) => {
    announceUnopened(error);
    // The page reads the list of workspaces again, which has the new one.
    await router.invalidate();
  };
  return useMutation({
    mutationFn: async (body: { name: string; slug: string; requireApplication: boolean }) => {
      const { data } = await client.POST('/api/workspaces', { body });
      return data;
    },
    onSuccess: async (workspace) => {
      // The new workspace's address is looked up in this list.
      queryClient.removeQueries({ queryKey: workspacesQuery().queryKey });
      onCreated?.();
      // The workspace exists, so an error here must not say that it was not created.
      if (workspace !== undefined) await open(workspace).catch(showUnopened);
    },
  });
}
