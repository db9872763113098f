import { Button, Group, Select, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../client/api.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { AttemptView } from '../../dashboard/pages/delivery/attempt-view.tsx';
import { eventTypesQuery } from '../portal-queries.ts';
import { Doctor } from './doctor.tsx';

/** A request that is sent now, and the examination of the endpoint. */
export function TestingTab({ endpointId }: { endpointId: string }) {
  return (
    <Stack gap="xl">
      <SendTest endpointId={endpointId} />
      <Doctor endpointId={endpointId} />
    </Stack>
  );
}

function SendTest({ endpointId }: { endpointId: string }) {
  const { data: types = [] } = useQuery(eventTypesQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const test = api.useMutation('post', '/api/portal/endpoints/{id}/test');
  const eventTypeId = chosen ?? types[0]?.id;
  const send = () =>
    test.mutate({ params: { path: { id: endpointId } }, body: { ...(eventTypeId && { eventTypeId }) } });
  return (
    <Stack gap="md" component="section" aria-label="Send a test">
      <Title order={2}>Send a test</Title>
      <Text size="sm" c="dimmed">
        The example of the event type is sent to your endpoint once, now, and signed as every message.
      </Text>
      <Group gap="sm" align="flex-end">
        <Select
          label="Event type"
          size="sm"
          searchable
          allowDeselect={false}
          placeholder="without a type"
          data={types.map(({ id, name }) => ({ value: id, label: name }))}
          value={eventTypeId ?? null}
          onChange={setChosen}
        />
        <Button size="sm" loading={test.isPending} onClick={send}>
          Send test
        </Button>
      </Group>
      {test.error ? <ErrorNotice title="The test was not sent" error={test.error} /> : null}
      {test.data === undefined ? null : <AttemptView key={test.data.id} attempt={test.data} />}
    </Stack>
  );
}
