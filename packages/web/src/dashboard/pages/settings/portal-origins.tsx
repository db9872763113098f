import { Button, Code, Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { client } from '../../../client/api.ts';
import { entriesOf } from '../../../components/draft.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

const SENTENCE =
  'The sites that may show the customer portal in a frame. Without any, it opens in a window of its own.';

export function PortalOrigins() {
  const place = usePlace();
  const { portalOrigins } = place.workspace;
  if (isOwner(place)) return <Editor workspaceId={place.workspace.id} origins={portalOrigins} />;
  return (
    <Setting title="Portal origins" sentence={SENTENCE}>
      {portalOrigins.length === 0 ? <Text size="sm">None</Text> : <Code block>{portalOrigins.join('\n')}</Code>}
    </Setting>
  );
}

function Editor({ workspaceId, origins }: { workspaceId: string; origins: string[] }) {
  const before = origins.join('\n');
  const form = useForm({ initialValues: { portalOrigins: before } });
  const portalOrigins = entriesOf(form.values.portalOrigins, '\n');
  const params = { path: { workspaceId } };
  const save = usePlaceChange(() => client.PATCH('/api/workspaces/{workspaceId}', { params, body: { portalOrigins } }));
  return (
    <Setting title="Portal origins" sentence={SENTENCE}>
      <Form draft={form} error={save.error} onSubmit={() => save.mutate(undefined)}>
        <Stack gap="sm" align="flex-start">
          <FormField of="portalOrigins">
            <Textarea
              w="100%"
              label="Origins, one a line"
              description="At most 20, such as https://app.example.com. On your own machine also http://localhost:*."
              autosize
              minRows={2}
              maxRows={20}
              classNames={{ input: 'mono' }}
            />
          </FormField>
          <FormRefusal title="Nothing was changed" />
          <Button type="submit" size="sm" loading={save.isPending} disabled={portalOrigins.join('\n') === before}>
            Save origins
          </Button>
        </Stack>
      </Form>
    </Setting>
  );
}
