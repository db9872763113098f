import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import type { DryRun, Endpoint, Operation } from '../../client/resources.ts';
import { nowMs } from '../../clock.ts';
import { addressOf } from '../../components/destination/address-of.ts';
import { OperationProgress } from '../../components/operation/operation-progress.tsx';
import { isOpen, statusWords, TYPE_WORDS } from '../../components/operation/operation-words.ts';
import { RecoverForm } from '../../components/recover/recover-form.tsx';
import type { RecoveryBody } from '../../components/recover/recovery-draft.ts';
import { RelativeTime } from '../../components/relative-time.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { rich, t } from '../../language/language.ts';
import { eventTypesQuery, newestOperationQuery } from '../portal-queries.ts';
import { useMay } from '../session.ts';

const PATH = '/api/portal/endpoints/{id}/recover';
/** How long a recovery is shown after it has ended. */
const SHOWN_MS = 3_600_000;

/** Resends what the endpoint missed: the form with its count, in a side sheet. */
export function RecoverButton({ endpoint }: { endpoint: Endpoint }) {
  const [isOpened, { open, close }] = useDisclosure();
  if (!useMay('deliveries:retry')) return null;
  return (
    <>
      <Button variant="default" onClick={open}>
        {t('Recover …')}
      </Button>
      <SideSheet opened={isOpened} onClose={close} title={t('Recover messages')}>
        {isOpened ? <RecoverSheet endpoint={endpoint} onStarted={close} /> : null}
      </SideSheet>
    </>
  );
}

function RecoverSheet({ endpoint, onStarted }: { endpoint: Endpoint; onStarted: () => void }) {
  const { id, isActive } = endpoint;
  const queryClient = useQueryClient();
  const { data: types = [] } = useQuery(eventTypesQuery());
  const mayActivate = useMay('endpoints:write');
  return (
    <Stack gap="md">
      <Text className="mono" style={{ overflowWrap: 'anywhere' }}>
        {addressOf(endpoint)}
      </Text>
      {isActive ? (
        <RecoverForm
          endpointId={id}
          noun="message"
          typeNames={types.map(({ name }) => name)}
          count={(body) => countRecovery(id, body)}
          start={(body) => startRecovery(id, body)}
          onStarted={() => {
            void queryClient.invalidateQueries({ queryKey: newestOperationQuery(id).queryKey });
            onStarted();
          }}
        />
      ) : (
        <Alert color="yellow">
          {mayActivate
            ? t('Your endpoint is inactive and gets no messages. Activate it, then recover what it missed.')
            : t('Your endpoint is inactive and gets no messages. Ask the sender to activate it.')}
        </Alert>
      )}
    </Stack>
  );
}

/** The progress of the newest recovery. The service keeps it, so it is still shown after a reload. */
export function RecoveryProgress({ endpointId }: { endpointId: string }) {
  const { data } = useQuery({ ...newestOperationQuery(endpointId), enabled: useMay('deliveries:retry') });
  const operation = data?.operations[0];
  if (operation === undefined || !isRecent(operation)) return null;
  // The operation may also be the sender's retry or cancellation of this endpoint's deliveries.
  const name = TYPE_WORDS[operation.type];
  return (
    <Paper component="section" withBorder p="md" mb="md" bg="var(--surface-raised)" aria-label={name}>
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={500}>
          {t('{name}: {status}', { name, status: statusWords(operation).toLowerCase() })}
        </Text>
        <Text component="div" size="xs" c="dimmed">
          {isOpen(operation)
            ? rich('started {time}', { time: <RelativeTime at={operation.createdAt} /> })
            : rich('ended {time}', { time: <RelativeTime at={operation.finishedAt} /> })}
        </Text>
      </Group>
      <OperationProgress operation={operation} />
    </Paper>
  );
}

function isRecent(operation: Operation): boolean {
  const { finishedAt } = operation;
  return isOpen(operation) || (finishedAt !== null && nowMs() - Date.parse(finishedAt) < SHOWN_MS);
}

async function countRecovery(id: string, body: RecoveryBody): Promise<DryRun> {
  const { data } = await client.POST(PATH, { params: { path: { id } }, body: { ...body, dryRun: true } });
  if (data === undefined || !('oldest' in data)) throw new Error('The answer is not a dry run');
  return data;
}

async function startRecovery(id: string, body: RecoveryBody): Promise<Operation> {
  const { data } = await client.POST(PATH, { params: { path: { id } }, body: { ...body, dryRun: false } });
  if (data === undefined || 'oldest' in data) throw new Error('The answer is not an operation');
  return data;
}
