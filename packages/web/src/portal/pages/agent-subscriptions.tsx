import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client } from '../../client/api.ts';
import { readAgain } from '../../client/by-pages.ts';
import type { AgentKey, AgentSubscription } from '../../client/resources.ts';
import { PLACE_OF_KEY, SubscribingConfiguration } from '../../components/agent-configuration.tsx';
import { SubscribedEvent, Subscriber, SubscriptionState } from '../../components/agent-subscription.tsx';
import { ConfirmContent } from '../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { Form, FormField, FormRefusal } from '../../components/form.tsx';
import { useHeldSheet } from '../../components/hold-sheet.ts';
import { ListFooter } from '../../components/list-footer.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SecretOnce } from '../../components/secret-once.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { rich, t } from '../../language/language.ts';
import { useMay } from '../session.ts';

const PAGE = { params: { query: { limit: 100 } } };
const keysQuery = () => api.queryOptions('get', '/api/portal/agent-keys', PAGE);
const SUBSCRIPTIONS = '/api/portal/agent-subscriptions';
const useSubscriptions = () =>
  api.useInfiniteQuery('get', SUBSCRIPTIONS, PAGE, {
    initialPageParam: null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

type Opened = { kind: 'delete'; key: AgentKey } | { kind: 'end'; of: AgentSubscription } | null;

/**
 * The subscriptions of the customer's agents: the agents' keys, their subscriptions, and how to connect another agent.
 */
export function AgentSubscriptions({ address, issuer }: { address: string; issuer: string | null }) {
  const mayWrite = useMay('endpoints:write');
  const keys = useQuery(keysQuery());
  const subscriptions = useSubscriptions();
  const [isCreating, { open, close }] = useDisclosure();
  const [isShown, { open: show }] = useDisclosure();
  const [opened, setOpened] = useState<Opened>(null);
  const error = keys.error ?? subscriptions.error;
  const retry = () => void Promise.all([keys.refetch(), subscriptions.refetch()]);
  const subscribed = subscriptions.data?.pages.flatMap(({ agentSubscriptions }) => agentSubscriptions);
  return (
    <Stack gap="sm" component="section" aria-label={t('Agents that subscribe')}>
      <Title order={2}>{t('Agents that subscribe')}</Title>
      <Text size="sm" c="dimmed">
        {rich('With a key, an agent subscribes over the Model Context Protocol at {address}.', {
          address: <span className="mono">{address}</span>,
        })}
      </Text>
      {error ? <ErrorNotice title={t('The agents could not be loaded')} error={error} onRetry={retry} /> : null}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {(keys.data?.agentKeys ?? []).map((key) => (
          <Group component="li" key={key.id} gap="sm">
            <Text size="sm">{key.name}</Text>
            <span className="mono">{key.keyPreview}</span>
            {mayWrite ? (
              <Button
                variant="subtle"
                color="red"
                aria-label={t('Delete {name}', { name: key.name })}
                onClick={() => setOpened({ kind: 'delete', key })}
              >
                {t('Delete …')}
              </Button>
            ) : null}
          </Group>
        ))}
      </Stack>
      {mayWrite ? (
        <Button variant="default" w="fit-content" onClick={open}>
          {t('Create agent key')}
        </Button>
      ) : null}
      {subscribed?.length === 0 ? <Text size="sm">{t('No agent has subscribed yet.')}</Text> : null}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {(subscribed ?? []).map((one) => (
          <Subscribed
            key={one.endpointId}
            of={one}
            onEnd={mayWrite ? () => setOpened({ kind: 'end', of: one }) : null}
          />
        ))}
      </Stack>
      {subscriptions.hasNextPage ? <ListFooter count={subscribed?.length ?? 0} list={subscriptions} /> : null}
      {isShown ? (
        <>
          <Text size="sm">
            {rich('Put your agent key in place of {key}.', { key: <span className="mono">{PLACE_OF_KEY}</span> })}
          </Text>
          <SubscribingConfiguration address={address} issuer={issuer} />
        </>
      ) : (
        <Button variant="default" w="fit-content" onClick={show}>
          {t('Show how an agent connects')}
        </Button>
      )}
      <SideSheet opened={isCreating} onClose={close} title={t('Create agent key')}>
        {isCreating ? <CreateKey address={address} onDone={close} /> : null}
      </SideSheet>
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={opened?.kind === 'delete' ? t('Delete the agent key?') : t('End the subscription?')}
        size="sm"
      >
        {opened === null ? null : <End opened={opened} onClose={() => setOpened(null)} />}
      </Modal>
    </Stack>
  );
}

function Subscribed({ of, onEnd }: { of: AgentSubscription; onEnd: (() => void) | null }) {
  return (
    <Stack component="li" gap={2}>
      <Group gap="sm">
        <span className="mono">
          <SubscribedEvent of={of} />
        </span>
        <span className="mono">{new URL(of.url).host}</span>
        {onEnd !== null && of.status !== 'ended' ? (
          <Button variant="subtle" color="red" aria-label={t('End {name}', { name: of.eventType })} onClick={onEnd}>
            {t('End …')}
          </Button>
        ) : null}
      </Group>
      <Group gap="sm">
        <Text size="sm">
          <SubscriptionState of={of} />
        </Text>
        <Text size="sm" c="dimmed">
          <Subscriber of={of} />
        </Text>
        {of.lastDeliveryAt === null ? null : (
          <Text size="sm" c="dimmed">
            {rich('last delivery {time}', { time: <RelativeTime at={of.lastDeliveryAt} /> })}
          </Text>
        )}
      </Group>
    </Stack>
  );
}

/** Refetches both lists: deleting a key ends its subscriptions. */
function useReadAgain() {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([keysQuery().queryKey, ['get', SUBSCRIPTIONS]].map((key) => readAgain(queryClient, key))).then(
      () => undefined,
    );
}

function CreateKey({ address, onDone }: { address: string; onDone: () => void }) {
  const readAgain = useReadAgain();
  const form = useForm({ initialValues: { name: '' } });
  const created = useMutation({
    mutationFn: (body: { name: string }) => client.POST('/api/portal/agent-keys', { body }),
    onSettled: readAgain,
  });
  useHeldSheet(created.isPending ? 'answer' : null);
  const key = created.data?.data?.key ?? undefined;
  if (key !== undefined) {
    return (
      <SecretOnce secret={key} what={t('the agent key')} sentence={t('Give it to the agent alone.')} onDone={onDone}>
        <SubscribingConfiguration address={address} agentKey={key} />
      </SecretOnce>
    );
  }
  return (
    <Form draft={form} error={created.error} onSubmit={() => created.mutate(form.values)}>
      <Stack gap="md">
        <FormField of="name">
          <TextInput label={t('Name')} description={t('Such as the agent that uses it.')} required data-autofocus />
        </FormField>
        <FormRefusal title={t('The key was not created')} />
        <Button type="submit" size="sm" loading={created.isPending}>
          {t('Create agent key')}
        </Button>
      </Stack>
    </Form>
  );
}

function End({ opened, onClose }: { opened: NonNullable<Opened>; onClose: () => void }) {
  const readAgain = useReadAgain();
  const ending = useMutation({
    mutationFn: (): Promise<unknown> =>
      opened.kind === 'delete'
        ? client.DELETE('/api/portal/agent-keys/{keyId}', { params: { path: { keyId: opened.key.id } } })
        : client.DELETE('/api/portal/agent-subscriptions/{subscriptionId}', {
            params: { path: { subscriptionId: opened.of.id } },
          }),
    onSuccess: onClose,
    onSettled: readAgain,
  });
  return (
    <ConfirmContent
      onClose={onClose}
      action={opened.kind === 'delete' ? t('Delete agent key') : t('End subscription')}
      onConfirm={() => ending.mutate()}
      pending={ending.isPending}
      error={ending.error}
    >
      {opened.kind === 'delete'
        ? t('Everything that was subscribed with this key ends now. This cannot be undone.')
        : t('Nothing more is sent to the agent. It may subscribe again while its key works.')}
    </ConfirmContent>
  );
}
