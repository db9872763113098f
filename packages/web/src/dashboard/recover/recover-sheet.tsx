import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import { readAgain } from '../../client/by-pages.ts';
import type { DryRun, Endpoint, Operation } from '../../client/resources.ts';
import { addressOf } from '../../components/destination/address-of.ts';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { ButtonLink } from '../../components/links.tsx';
import { OperationProgress } from '../../components/operation/operation-progress.tsx';
import { isOpen } from '../../components/operation/operation-words.ts';
import { RecoverForm } from '../../components/recover/recover-form.tsx';
import type { RecoveryBody } from '../../components/recover/recovery-draft.ts';
import { SideSheet } from '../../components/side-sheet.tsx';
import { OPERATION_LISTS, operationQuery } from '../operations/operation-queries.ts';
import { eventTypesQuery } from '../pages/event-types/event-type-queries.ts';
import { usePlace } from '../place.ts';

type Recovered = Pick<Endpoint, 'id' | 'type' | 'target' | 'isActive'>;

/** Resends what an endpoint missed: the form with its count, then the progress. `endpoint` is null while closed. */
export function RecoverSheet({ endpoint, onClose }: { endpoint: Recovered | null; onClose: () => void }) {
  return (
    <SideSheet opened={endpoint !== null} onClose={onClose} title="Recover">
      {endpoint === null ? null : <Content key={endpoint.id} endpoint={endpoint} onClose={onClose} />}
    </SideSheet>
  );
}

function Content({ endpoint, onClose }: { endpoint: Recovered; onClose: () => void }) {
  const [operationId, setOperationId] = useState<string>();
  return (
    <>
      <Text className="mono" mb="md" style={{ overflowWrap: 'anywhere' }}>
        {addressOf(endpoint)}
      </Text>
      {!endpoint.isActive ? (
        <Alert color="yellow">The endpoint is inactive. Activate it, then recover what it did not receive.</Alert>
      ) : operationId === undefined ? (
        <Form endpointId={endpoint.id} onStarted={setOperationId} />
      ) : (
        <RecoveryProgress operationId={operationId} onClose={onClose} />
      )}
    </>
  );
}

function Form({ endpointId, onStarted }: { endpointId: string; onStarted: (operationId: string) => void }) {
  const { workspace } = usePlace();
  const queryClient = useQueryClient();
  const { data: types = [] } = useQuery(eventTypesQuery(workspace.id));
  const path = { workspaceId: workspace.id, id: endpointId };
  return (
    <RecoverForm
      endpointId={endpointId}
      noun="delivery"
      typeNames={types.map(({ name }) => name)}
      count={(body) => countRecovery(path, body)}
      start={(body) => startRecovery(path, body)}
      onStarted={({ id }) => {
        void readAgain(queryClient, OPERATION_LISTS);
        onStarted(id);
      }}
    />
  );
}

/** The progress of the started recovery, until it has ended. */
function RecoveryProgress({ operationId, onClose }: { operationId: string; onClose: () => void }) {
  const { workspace } = usePlace();
  const { data, error, refetch } = useQuery(operationQuery(workspace.id, operationId));
  if (error !== null && data === undefined) {
    return <ErrorNotice title="The progress could not be loaded" error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton height={64} />;
  return (
    <Stack gap="md">
      <OperationProgress operation={data} />
      <Text size="xs" c="dimmed">
        {isOpen(data)
          ? 'It goes on when this sheet is closed. The header shows its progress on every page.'
          : 'The recovery has ended.'}
      </Text>
      <Group gap="sm">
        <Button onClick={onClose}>Close</Button>
        <ButtonLink
          variant="default"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/operations"
          onClick={onClose}
        >
          Show operations
        </ButtonLink>
      </Group>
    </Stack>
  );
}

const PATH = '/api/workspaces/{workspaceId}/endpoints/{id}/recover';

type Target = { workspaceId: string; id: string };

/** Counts what a recovery would select now. Changes nothing. */
async function countRecovery(path: Target, body: RecoveryBody): Promise<DryRun> {
  const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: true } });
  if (data === undefined || !('oldest' in data)) throw new Error('The answer is not a dry run');
  return data;
}

/** Starts the recovery. */
async function startRecovery(path: Target, body: RecoveryBody): Promise<Operation> {
  const { data } = await client.POST(PATH, { params: { path }, body: { ...body, dryRun: false } });
  if (data === undefined || 'oldest' in data) throw new Error('The answer is not an operation');
  return data;
}
