import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../../client/api.ts';
import { Form, FormField, FormRefusal } from '../../../components/form.tsx';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { isHours, keptWords, limitWords, toHours } from './retention-words.ts';
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

type Hours = { payloadRetentionHours: number | null; retentionHours: number | null };
type EditorProps = { workspaceId: string; before: Hours; most: number | undefined };

function Editor({ workspaceId, before, most }: EditorProps) {
  const [payloads, setPayloads] = useState(toText(before.payloadRetentionHours));
  const [lists, setLists] = useState(toText(before.retentionHours));
  const body = { payloadRetentionHours: toHours(payloads), retentionHours: toHours(lists) };
  const params = { path: { workspaceId } };
  const save = usePlaceChange(() => client.PATCH('/api/workspaces/{workspaceId}', { params, body }));
  const isSame =
    body.payloadRetentionHours === before.payloadRetentionHours && body.retentionHours === before.retentionHours;
  return (
    <Setting title="Retention" sentence={SENTENCE}>
      <Form error={save.error} onSubmit={() => save.mutate(undefined)}>
        <Stack gap="sm" align="flex-start">
          <Group gap="sm" align="flex-start" w="100%">
            <FormField of="payloadRetentionHours">
              <HoursInput
                label="Payloads, in hours"
                description={`Bodies of events, and what attempts sent and got. Deliveries with older payloads stay in the lists, but cannot be sent again. ${limitWords(1, most)}`}
                value={payloads}
                onChange={setPayloads}
              />
            </FormField>
            <FormField of="retentionHours">
              <HoursInput
                label="Lists and statistics, in hours"
                description={`Events, deliveries and their numbers. What is older is in no list any more, and its payload is erased, too. ${limitWords(24, most)}`}
                value={lists}
                onChange={setLists}
              />
            </FormField>
          </Group>
          <FormRefusal title="Nothing was changed" />
          <Button
            type="submit"
            size="sm"
            loading={save.isPending}
            disabled={isSame || !isHours(payloads) || !isHours(lists)}
          >
            Save retention
          </Button>
        </Stack>
      </Form>
    </Setting>
  );
}

type InputProps = {
  label: string;
  description: string;
  value: string;
  onChange: (value: string) => void;
  error?: string;
};

function HoursInput({ value, onChange, error, ...texts }: InputProps) {
  return (
    <TextInput
      {...texts}
      inputMode="numeric"
      flex="1 1 240px"
      // The note is below the field, so that fields beside each other are in one line.
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      error={isHours(value) ? error : 'Write a whole number, or leave it empty'}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

function toText(hours: number | null): string {
  return hours === null ? '' : String(hours);
}
