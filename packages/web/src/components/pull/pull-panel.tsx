import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { EndpointRead, PullKey } from '../../client/resources.ts';
import { number, rich, t } from '../../language/language.ts';
import { ConfirmContent } from '../confirm-dialog.tsx';
import { ErrorNotice } from '../error-notice.tsx';
import { Fact } from '../fact.tsx';
import { Form, FormField, FormRefusal } from '../form.tsx';
import { useHeldSheet } from '../hold-sheet.ts';
import { RelativeTime } from '../relative-time.tsx';
import { SecretOnce } from '../secret-once.tsx';
import { SideSheet } from '../side-sheet.tsx';
import { durationWords } from '../time-words.ts';
import type { KeyChanges } from './key-changes.ts';
import { LeaseNow } from './lease-now.tsx';

type Props = {
  endpoint: Pick<EndpointRead, 'id' | 'pull'>;
  keys: { data: readonly PullKey[] | undefined; error: unknown; refetch: () => unknown };
  /** Undefined for a person who may only read. */
  changes: KeyChanges | undefined;
};

/**
 * The messages that wait at a pull endpoint, the keys of the programs that fetch them, and a preview of what they would
 * get.
 */
export function PullPanel({ endpoint, keys, changes }: Props) {
  return (
    <Stack gap="xl">
      <Lag pull={endpoint.pull} />
      {changes === undefined ? null : <Keys keys={keys} changes={changes} />}
      {changes === undefined ? null : <LeaseNow endpointId={endpoint.id} changes={changes} />}
    </Stack>
  );
}

/** The service counts waiting messages up to this number. */
const MOST_COUNTED = 10_000;

function Lag({ pull }: Pick<Props['endpoint'], 'pull'>) {
  if (!pull) return null;
  const { waiting, oldestAgeSeconds, lastLeaseAt } = pull;
  return (
    <Stack gap="sm" component="section" aria-label={t('Waiting')}>
      <Title order={2}>{t('Waiting')}</Title>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="md">
        <Fact name={t('Messages')}>
          {waiting >= MOST_COUNTED ? t('{waiting} or more', { waiting }) : number(waiting)}
        </Fact>
        <Fact name={t('The oldest has been due for')}>
          {oldestAgeSeconds === null ? t('nothing is due') : durationWords(oldestAgeSeconds * 1_000)}
        </Fact>
        <Fact name={t('Last leased')}>{lastLeaseAt === null ? t('never') : <RelativeTime at={lastLeaseAt} />}</Fact>
      </SimpleGrid>
    </Stack>
  );
}

function Keys({ keys: { data, error, refetch }, changes }: { keys: Props['keys']; changes: KeyChanges }) {
  const [isCreating, { open, close }] = useDisclosure();
  const [removed, setRemoved] = useState<PullKey | null>(null);
  return (
    <Stack gap="sm" component="section" aria-label={t('Pull keys')}>
      <Title order={2}>{t('Pull keys')}</Title>
      <Text size="sm" c="dimmed">
        {t(
          'A program that fetches messages sends a key. To replace a key, create another one, use it, and delete the first.',
        )}
      </Text>
      {error ? (
        <ErrorNotice title={t('The keys could not be loaded')} error={error} onRetry={() => void refetch()} />
      ) : null}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {(data ?? []).map((key) => (
          <Group component="li" key={key.id} gap="sm">
            <Text size="sm">{key.name}</Text>
            <span className="mono">{key.keyPreview}</span>
            <Text size="sm" c="dimmed">
              {key.lastUsedAt === null
                ? t('never used')
                : rich('last used {time}', { time: <RelativeTime at={key.lastUsedAt} /> })}
              {key.expiresAt === null ? null : rich(', ends {time}', { time: <RelativeTime at={key.expiresAt} /> })}
            </Text>
            <Button
              variant="subtle"
              color="red"
              aria-label={t('Delete {name}', { name: key.name })}
              onClick={() => setRemoved(key)}
            >
              {t('Delete …')}
            </Button>
          </Group>
        ))}
      </Stack>
      <Button variant="default" w="fit-content" onClick={open}>
        {t('Create pull key')}
      </Button>
      <SideSheet opened={isCreating} onClose={close} title={t('Create pull key')}>
        {isCreating ? <CreateKey create={changes.create} onDone={close} /> : null}
      </SideSheet>
      <Modal
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={t('Delete the key {name}?', { name: removed?.name ?? '' })}
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
  const form = useForm({ initialValues: { name: '' } });
  const created = useMutation({ mutationFn: create });
  useHeldSheet(created.isPending ? 'answer' : null);
  if (created.data !== undefined) {
    return <SecretOnce secret={created.data.key} what={t('the pull key')} sentence={KEEP_KEY} onDone={onDone} />;
  }
  return (
    <Form draft={form} error={created.error} onSubmit={() => created.mutate(form.values.name)}>
      <Stack gap="md">
        <FormField of="name">
          <TextInput label={t('Name')} description={t('Such as the program that uses it.')} required data-autofocus />
        </FormField>
        <FormRefusal title={t('The key was not created')} />
        <Button type="submit" size="sm" loading={created.isPending}>
          {t('Create pull key')}
        </Button>
      </Stack>
    </Form>
  );
}

export const KEEP_KEY = t('Keep it where the program reads its secrets.');

type DeleteProps = { pullKey: PullKey; remove: KeyChanges['remove']; onClose: () => void };

function DeleteKey({ pullKey, remove, onClose }: DeleteProps) {
  const removal = useMutation({ mutationFn: () => remove(pullKey.id), onSuccess: onClose });
  return (
    <ConfirmContent
      onClose={onClose}
      action={t('Delete pull key')}
      onConfirm={() => removal.mutate()}
      pending={removal.isPending}
      error={removal.error}
    >
      {rich('Within a second, programs with {key} get no more messages. This cannot be undone.', {
        key: <span className="mono">{pullKey.keyPreview}</span>,
      })}
    </ConfirmContent>
  );
}
