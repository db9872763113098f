import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../../client/api.ts';
import { ERROR_ABOVE } from '../../../components/error-above.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

export function WorkspaceName() {
  const place = usePlace();
  const { workspace } = place;
  const form = useForm({ initialValues: { name: workspace.name } });
  const body = form.values;
  const rename = usePlaceChange(() =>
    client.PATCH('/api/workspaces/{workspaceId}', { params: { path: { workspaceId: workspace.id } }, body }),
  );
  const sentence = `The addresses of its pages keep the part “${workspace.slug}”.`;
  if (!isOwner(place)) {
    return (
      <Setting title="Workspace" sentence={sentence}>
        <Text size="sm">{workspace.name}</Text>
      </Setting>
    );
  }
  return (
    <Setting title="Workspace" sentence={sentence}>
      <Form draft={form} error={rename.error} onSubmit={() => rename.mutate(undefined)}>
        <Stack gap="sm">
          <Group gap="sm" align="flex-end">
            <FormField of="name">
              <TextInput
                label="Name of the workspace"
                required
                flex="1 1 240px"
                maw={420}
                inputWrapperOrder={ERROR_ABOVE}
              />
            </FormField>
            <Button type="submit" size="sm" loading={rename.isPending} disabled={body.name === workspace.name}>
              Rename
            </Button>
          </Group>
          <FormRefusal title="Nothing was changed" />
        </Stack>
      </Form>
    </Setting>
  );
}
