import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { onSubmit } from '../../../components/submit.ts';
import { usePlace } from '../../place.ts';
import { isOwner } from '../../role.ts';
import { Setting } from './setting.tsx';
import { usePlaceChange } from './use-place-change.ts';

const SENTENCE =
  'How long this workspace keeps data. A delivery whose payload is gone is not sent again. What is erased cannot be restored.';

export function Retention() {
  const place = usePlace();
  const { id, payloadRetentionHours, retentionHours } = place.workspace;
  if (isOwner(place)) return <Editor workspaceId={id} before={{ payloadRetentionHours, retentionHours }} />;
  return (
    <Setting title="Retention" sentence={SENTENCE}>
      <Text size="sm">Payloads: {inWords(payloadRetentionHours)}</Text>
      <Text size="sm">Lists and statistics: {inWords(retentionHours)}</Text>
    </Setting>
  );
}

type Hours = { payloadRetentionHours: number | null; retentionHours: number | null };

function Editor({ workspaceId, before }: { workspaceId: string; before: Hours }) {
  const [payloads, setPayloads] = useState(toText(before.payloadRetentionHours));
  const [lists, setLists] = useState(toText(before.retentionHours));
  const body = { payloadRetentionHours: toHours(payloads), retentionHours: toHours(lists) };
  const params = { path: { workspaceId } };
  const save = usePlaceChange(() => client.PATCH('/api/workspaces/{workspaceId}', { params, body }));
  const isSame =
    body.payloadRetentionHours === before.payloadRetentionHours && body.retentionHours === before.retentionHours;
  return (
    <Setting title="Retention" sentence={SENTENCE}>
      <form onSubmit={onSubmit(() => save.mutate(undefined))}>
        <Stack gap="sm" align="flex-start">
          <Group gap="sm" align="flex-end" w="100%">
            <TextInput
              label="Payloads, in hours"
              description="Payloads, and what attempts sent and got. Empty: as long as the installation keeps them."
              inputMode="numeric"
              flex="1 1 240px"
              value={payloads}
              onChange={({ currentTarget }) => setPayloads(currentTarget.value)}
            />
            <TextInput
              label="Lists and statistics, in hours"
              description="At least 24. Empty: as long as the installation keeps them."
              inputMode="numeric"
              flex="1 1 240px"
              value={lists}
              onChange={({ currentTarget }) => setLists(currentTarget.value)}
            />
          </Group>
          {save.error ? <ErrorNotice title="Nothing was changed" error={save.error} /> : null}
          <Button type="submit" size="sm" loading={save.isPending} disabled={isSame}>
            Save retention
          </Button>
        </Stack>
      </form>
    </Setting>
  );
}

function inWords(hours: number | null): string {
  return hours === null ? 'as long as the installation keeps them' : `${hours} hours`;
}

function toText(hours: number | null): string {
  return hours === null ? '' : String(hours);
}

/** Null for an empty field. The API refuses anything but a number of hours. */
function toHours(text: string): number | null {
  return text.trim() === '' ? null : Number(text);
}
