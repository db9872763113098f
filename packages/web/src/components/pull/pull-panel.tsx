import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointRead, PullKey } from '../../client/resources.ts';
import { ConfirmContent } from '../confirm-dialog.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Fact } from '../fact.tsx';
import { useHeldSheet } from '../hold-sheet.ts';
import { RelativeTime } from '../relative-time.tsx';
import { SecretOnce } from '../secret-once.tsx';
import { SideSheet } from '../side-sheet.tsx';
import { onSubmit } from '../submit.ts';
import { durationWords } from '../time-words.ts';
import type { KeyChanges } from './key-changes.ts';
import { LeaseNow } from './lease-now.tsx';

type Props = {
  endpoint: Pick<EndpointRead, 'id' | 'pull'>;
  keys: { data: readonly PullKey[] | undefined; error: unknown; refetch: () => unknown };
  /** Undefined for someone who may only read. */
  changes: KeyChanges | undefined;
};

/** What waits for the programs that fetch from an endpoint, their keys, and a look at what they would get. */
export function PullPanel({ endpoint, keys, changes }: Props) {
  return (
    <Stack gap="xl">
      <Lag pull={endpoint.pull} />
      {changes === undefined ? null : <Keys keys={keys} changes={changes} />}
      {changes === undefined ? null : <LeaseNow endpointId={endpoint.id} changes={changes} />}
    </Stack>
  );
}

/** The count ends here. */
const MOST_COUNTED = 10_000;

function Lag({ pull }: Pick<Props['endpoint'], 'pull'>) {
  if (!pull) return null;
  const { waiting, oldestAgeSeconds, lastLeaseAt } = pull;
  return (
    <Stack gap="sm" component="section" aria-label="Waiting">
      <Title order={2}>Waiting</Title>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="md">
        <Fact name="Messages">
          {waiting.toLocaleString('en')}
          {waiting >= MOST_COUNTED ? ' or more' : ''}
        </Fact>
        <Fact name="The oldest is due for">
          {oldestAgeSeconds === null ? 'nothing is due' : durationWords(oldestAgeSeconds * 1_000)}
        </Fact>
        <Fact name="Last leased">{lastLeaseAt === null ? 'never' : <RelativeTime at={lastLeaseAt} />}</Fact>
      </SimpleGrid>
    </Stack>
  );
}

function Keys({ keys: { data, error, refetch }, changes }: { keys: Props['keys']; changes: KeyChanges }) {
  const [isCreating, { open, close }] = useDisclosure();
  const [removed, setRemoved] = useState<PullKey | null>(null);
  return (
    <Stack gap="sm" component="section" aria-label="Pull keys">
      <Title order={2}>Pull keys</Title>
      <Text size="sm" c="dimmed">
        A program that fetches messages sends a key. To replace a key, create another one, use it, and delete the first.
      </Text>
      {error ? <ErrorNotice title="The keys could not be loaded" error={error} onRetry={() => void refetch()} /> : null}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {(data ?? []).map((key) => (
          <Group component="li" key={key.id} gap="sm">
            <Text size="sm">{key.name}</Text>
            <span className="mono">{key.keyPreview}</span>
            <Text size="sm" c="dimmed">
              {key.lastUsedAt === null ? 'never used' : 'last used '}
              {key.lastUsedAt === null ? null : <RelativeTime at={key.lastUsedAt} />}
              {key.expiresAt === null ? null : ', ends '}
              {key.expiresAt === null ? null : <RelativeTime at={key.expiresAt} />}
            </Text>
            <Button variant="subtle" color="red" aria-label={`Delete ${key.name}`} onClick={() => setRemoved(key)}>
              Delete …
            </Button>
          </Group>
        ))}
      </Stack>
      <Button variant="default" w="fit-content" onClick={open}>
        Create pull key
      </Button>
      <SideSheet opened={isCreating} onClose={close} title="Create pull key">
        {isCreating ? <CreateKey create={changes.create} onDone={close} /> : null}
      </SideSheet>
      <Modal
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Delete the key ${removed?.name}?`}
        size="sm"
      >
        {removed === null ? null : (
          <DeleteKey pullKey={removed} remove={changes.remove} onClose={() => setRemoved(null)} />
        )}
      </Modal>
    </Stack>
  );
}

function CreateKey({ create, onDone }: { create: KeyChanges['create']; onDone: () => void }) {
  const [name, setName] = useState('');
  const created = useMutation({ mutationFn: create });
  useHeldSheet(created.isPending ? 'answer' : null);
  if (created.data !== undefined) {
    return <SecretOnce secret={created.data.key} what="the pull key" sentence={KEEP_KEY} onDone={onDone} />;
  }
  return (
    <form onSubmit={onSubmit(() => created.mutate(name))}>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Such as the program that fetches with it."
          required
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {created.error ? <ErrorNotice title="The key was not created" error={created.error} /> : null}
        <Button type="submit" size="sm" loading={created.isPending}>
          Create pull key
        </Button>
      </Stack>
    </form>
  );
}

export const KEEP_KEY = 'Keep it where the program reads its secrets.';

type DeleteProps = { pullKey: PullKey; remove: KeyChanges['remove']; onClose: () => void };

function DeleteKey({ pullKey, remove, onClose }: DeleteProps) {
  const removal = useMutation({ mutationFn: () => remove(pullKey.id), onSuccess: onClose });
  return (
    <ConfirmContent
      onClose={onClose}
      action="Delete pull key"
      onConfirm={() => removal.mutate()}
      pending={removal.isPending}
      error={removal.error}
    >
      Programs with <span className="mono">{pullKey.keyPreview}</span> get nothing any more, within a second. This
      cannot be undone.
    </ConfirmContent>
  );
}
