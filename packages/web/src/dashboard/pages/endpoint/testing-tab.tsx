import { Button, Select, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { prettyJson } from '../../../components/pretty-json.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { AttemptView } from '../delivery/attempt-view.tsx';
import { Doctor } from './doctor.tsx';
import { exampleText } from './example-text.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** A request that is sent now, and the examination of the endpoint. */
export function TestingTab({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Stack gap="xl">
      {mayChange(usePlace()) ? <SendTest endpoint={endpoint} /> : null}
      {endpoint.type === 'playground' ? null : <Doctor endpointId={endpoint.id} />}
    </Stack>
  );
}

function SendTest({ endpoint }: { endpoint: Endpoint }) {
  const { types } = useTypesWithExample(endpoint.id);
  const [typeId, setTypeId] = useState<string | null>(null);
  const [typed, setTyped] = useState<string | null>(null);
  const type = types.find(({ id }) => id === typeId) ?? types[0];
  const text = typed ?? exampleText(type);
  const isJson = prettyJson(text) !== undefined;
  const test = useTest(endpoint.id);
  return (
    <Stack gap="md" component="section" aria-label="Send a test">
      <Title order={2}>Send a test</Title>
      <Text size="sm" c="dimmed">
        One signed request, sent now, also to an inactive endpoint. It counts in no statistic and is never retried.
      </Text>
      <Select
        label="Event type"
        size="sm"
        maw={420}
        searchable
        allowDeselect={false}
        placeholder="without a type"
        data={types.map(({ id, name }) => ({ value: id, label: name }))}
        value={type?.id ?? null}
        onChange={(id) => {
          setTypeId(id);
          setTyped(null);
        }}
      />
      <BodyField text={text} isOwn={typed !== null} isJson={isJson} onChange={setTyped} />
      <Button
        size="sm"
        w="fit-content"
        disabled={!isJson}
        loading={test.isPending}
        onClick={() => test.mutate({ eventTypeId: type?.id, text })}
      >
        Send test
      </Button>
      {test.error ? <ErrorNotice title="The test was not sent" error={test.error} /> : null}
      {test.data === undefined ? null : <AttemptView key={test.data.id} attempt={test.data} />}
    </Stack>
  );
}

type BodyProps = { text: string; isOwn: boolean; isJson: boolean; onChange: (text: string) => void };

function BodyField({ text, isOwn, isJson, onChange }: BodyProps) {
  return (
    <Textarea
      label="Body"
      description={isOwn ? 'Your own JSON.' : 'The example of the event type, or your own JSON.'}
      autosize
      maw={760}
      minRows={4}
      maxRows={20}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mono)', fontSize: 12.5 } }}
      error={isJson ? undefined : 'This is not JSON.'}
      value={text}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** Sends the typed text as it is, so that numbers and the order of keys stay as they were written. */
function useTest(id: string) {
  const { workspace } = usePlace();
  return useMutation({
    mutationFn: async ({ eventTypeId, text }: { eventTypeId: string | undefined; text: string }) => {
      const type = eventTypeId === undefined ? '' : `"eventTypeId":${JSON.stringify(eventTypeId)},`;
      const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/test', {
        params: { path: { workspaceId: workspace.id, id } },
        body: {},
        bodySerializer: () => `{${type}"payload":${text}}`,
      });
      return data;
    },
  });
}
