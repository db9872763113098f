import { Button, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { keyClient } from '../../client/api.ts';
import type { LeasedMessage } from '../../client/resources.ts';
import { rich, t } from '../../language/language.ts';
import { CodeBlock } from '../code-block.tsx';
import { ConfirmDialog } from '../confirm-dialog.tsx';
import type { KeyChanges } from './key-changes.ts';
import { messageText } from './message-text.ts';

const MOST = 10;
const LEASE = { max: MOST, waitSeconds: 0, leaseSeconds: 30 };

type Props = { endpointId: string; changes: KeyChanges };

/** Shows what a program would get now. The messages are leased and given back, which counts as an attempt. */
export function LeaseNow({ endpointId, changes }: Props) {
  const [isAsking, { open, close }] = useDisclosure();
  const lease = useMutation({ mutationFn: () => look(endpointId, changes), onSuccess: close });
  return (
    <Stack gap="sm" component="section" aria-label={t('What would be fetched')}>
      <Title order={2}>{t('What would be fetched')}</Title>
      <Button variant="default" w="fit-content" onClick={open}>
        {t('Lease {most} now …', { most: MOST })}
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={close}
        title={t('Lease up to {most} messages?', { most: MOST })}
        action={t('Lease {most} now', { most: MOST })}
        onConfirm={() => lease.mutate()}
        pending={lease.isPending}
        error={lease.error}
      >
        {t(
          'They are given back at once. Each counts as a failed attempt, and uses a step of its retry schedule. The last step makes it a dead letter. A key is made for this, and deleted.',
        )}
      </ConfirmDialog>
      {lease.data?.length === 0 ? (
        <Text size="sm" role="status">
          {t('Nothing is due.')}
        </Text>
      ) : null}
      {(lease.data ?? []).map((message) => (
        <Leased key={message.deliveryId} message={message} />
      ))}
    </Stack>
  );
}

function Leased({ message }: { message: LeasedMessage }) {
  const { deliveryId, eventType, attemptNumber, body } = message;
  const name = eventType ?? t('a direct message');
  return (
    <Paper withBorder p="sm" component="section" aria-label={name}>
      <Stack gap="xs">
        <Text size="sm">
          {rich('{name} · attempt {number} · {delivery}', {
            name,
            number: attemptNumber,
            delivery: <span className="mono">{deliveryId}</span>,
          })}
        </Text>
        <CodeBlock text={messageText(body)} what={t('the body')} maxHeight={160} />
      </Stack>
    </Paper>
  );
}

/** Leases messages and gives them back, with a temporary key that is always deleted afterwards. */
async function look(endpointId: string, { create, remove }: KeyChanges): Promise<readonly LeasedMessage[]> {
  const { id, key } = await create(t('Lease now'));
  const params = { path: { endpointId } };
  const consumer = keyClient(key);
  try {
    const leased = await consumer.POST('/api/pull/{endpointId}/lease', { params, body: LEASE });
    const messages = leased.data?.messages ?? [];
    if (messages.length > 0) {
      const given = messages.map(({ deliveryId, leaseToken }) => ({
        deliveryId,
        leaseToken,
        delaySeconds: 0,
        reason: 'looked at',
      }));
      await consumer.POST('/api/pull/{endpointId}/nack', { params, body: { messages: given } });
    }
    return messages;
  } finally {
    await remove(id);
  }
}
