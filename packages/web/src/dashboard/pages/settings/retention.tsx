import { Button, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { changedOf, draftOf, typedValue } from '../../../components/draft.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { erasedWords, HOURS, type Hours, keptWords, limitWords, whyNoHours } from './retention-words.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

const SENTENCE =
  'How long this workspace keeps what was sent and what became of it. What is older is erased for good. A shorter time takes effect within a minute.';

export function Retention() {
  const place = usePlace();
  const { id, payloadRetentionHours, retentionHours } = place.workspace;
  const params = { path: { workspaceId: id } };
  const most = useQuery(api.queryOptions('get', '/api/workspaces/{workspaceId}', { params })).data
    ?.installationRetentionHours;
  if (isOwner(place)) {
    return <Editor workspaceId={id} before={{ payloadRetentionHours, retentionHours }} most={most} />;
  }
  return (
    <Setting title="Retention" sentence={SENTENCE}>
      <Text size="sm">Payloads: {keptWords(payloadRetentionHours, most)}</Text>
      <Text size="sm">Lists and statistics: {keptWords(retentionHours, most)}</Text>
    </Setting>
  );
}

type EditorProps = { workspaceId: string; before: Hours; most: number | undefined };

function Editor({ workspaceId, before, most }: EditorProps) {
  const form = useForm({
    initialValues: draftOf(HOURS, before),
    validate: { payloadRetentionHours: whyNoHours, retentionHours: whyNoHours },
    validateInputOnChange: true,
  });
  // Somebody else may have changed the other field.
  const { values } = form;
  const body = changedOf<Hours>(typedValue(HOURS, form.getInitialValues(), before), typedValue(HOURS, values, before));
  const params = { path: { workspaceId } };
  const [isAsking, { open, close }] = useDisclosure();
  const save = usePlaceChange(() => client.PATCH('/api/workspaces/{workspaceId}', { params, body }));
  const submit = () => save.mutate(undefined, { onSuccess: () => form.resetDirty(values), onSettled: close });
  const erased = erasedWords(before, body, most);
  return (
    <Setting title="Retention" sentence={SENTENCE}>
      <Form draft={form} error={save.error} onSubmit={() => (erased === null ? submit() : open())}>
        <Stack gap="sm" align="flex-start">
          <Group gap="sm" align="flex-start" w="100%">
            <FormField of="payloadRetentionHours">
              <HoursInput
                label="Payloads, in hours"
                description={`Bodies of events, and what attempts sent and got. Deliveries with older payloads stay in the lists, but cannot be sent again. ${limitWords(1, most)}`}
              />
            </FormField>
            <FormField of="retentionHours">
              <HoursInput
                label="Lists and statistics, in hours"
                description={`Events, deliveries and their numbers. What is older is in no list any more, and its payload is erased, too. ${limitWords(24, most)}`}
              />
            </FormField>
          </Group>
          <FormRefusal title="Nothing was changed" />
          <Button
            type="submit"
            size="sm"
            loading={save.isPending}
            disabled={!form.isValid() || Object.keys(body).length === 0}
          >
            Save retention
          </Button>
        </Stack>
      </Form>
      <ConfirmDialog
        opened={isAsking}
        onClose={close}
        title="Keep less?"
        action="Erase and keep less"
        // The form shows why nothing was changed.
        onConfirm={submit}
        pending={save.isPending}
        error={null}
      >
        {erased} This takes effect within a minute, and cannot be undone.
      </ConfirmDialog>
    </Setting>
  );
}

function HoursInput(given: TextInputProps) {
  return (
    <TextInput
      inputMode="numeric"
      flex="1 1 240px"
      // The description is below the field, so that fields side by side are aligned.
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      {...given}
    />
  );
}
