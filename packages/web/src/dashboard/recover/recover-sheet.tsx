import { Alert, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAgain } from '../../client/by-pages.ts';
import type { Endpoint } from '../../client/resources.ts';
import { addressOf } from '../../components/destination/address-of.ts';
import { RecoverForm } from '../../components/recover/recover-form.tsx';
import { SideSheet } from '../../components/side-sheet.tsx';
import { OPERATION_LISTS } from '../operations/operation-queries.ts';
import { eventTypesQuery } from '../pages/event-types/event-type-queries.ts';
import { usePlace } from '../place.ts';
import { RecoveryProgress } from './recovery-progress.tsx';
import { countRecovery, startRecovery } from './recovery-queries.ts';

type Recovered = Pick<Endpoint, 'id' | 'type' | 'target' | 'isActive'>;

/** Sends an endpoint what it did not receive: the form with its count, then the progress. Null for a closed sheet. */
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
