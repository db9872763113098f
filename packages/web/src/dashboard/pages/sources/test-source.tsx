import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Source, SourceTest } from '../../../client/resources.ts';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { Fact } from '../../../components/fact.tsx';
import { usePlace } from '../../place.ts';

/** Connects to the brokers and reads one record, without storing it. */
export function TestSource({ source }: { source: Source }) {
  const { workspace } = usePlace();
  const test = useMutation({
    mutationFn: async () => {
      const params = { path: { workspaceId: workspace.id, id: source.id } };
      const { data } = await client.POST('/api/workspaces/{workspaceId}/sources/{id}/test', { params });
      if (data === undefined) throw new Error('The answer was empty.');
      return data;
    },
  });
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        A test connects to the brokers of {source.name} and reads one record. Nothing is stored, and reading goes on
        where it was.
      </Text>
      <Button variant="default" size="sm" loading={test.isPending} onClick={() => test.mutate()}>
        Test the connection
      </Button>
      {test.error ? <ErrorNotice title="Not tested" error={test.error} /> : null}
      <div role="status">{test.data === undefined ? null : <Result result={test.data} />}</div>
    </Stack>
  );
}

function Result({ result: { error, topics, record } }: { result: SourceTest }) {
  return (
    <Stack gap="sm">
      {error === null ? (
        <Alert color="green">The brokers answer, and the topics can be read.</Alert>
      ) : (
        <Alert color="red">{error}</Alert>
      )}
      {topics.map(({ name, partitions, records }) => (
        <Fact key={name} name={`Topic ${name}`}>
          {`${counted(partitions, 'partition')}, ${counted(records, 'record')}`}
        </Fact>
      ))}
      {record === null ? null : (
        <Fact name={`Record ${record.topic}/${record.partition}/${record.offset}`}>{meaningOf(record)}</Fact>
      )}
    </Stack>
  );
}

function meaningOf({ eventType, rejection, size }: NonNullable<SourceTest['record']>): string {
  if (rejection !== null) return `It could not become an event: ${rejection}.`;
  return eventType === null
    ? 'It has no value and is skipped.'
    : `An event ${eventType}, from ${counted(size, 'byte')}.`;
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
