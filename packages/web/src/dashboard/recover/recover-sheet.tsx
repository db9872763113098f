import { Alert, Text } from '@mantine/core';
import { useState } from 'react';
import type { Endpoint } from '../../client/resources.ts';
import { SideSheet } from '../../components/side-sheet.tsx';
import { RecoverForm } from './recover-form.tsx';
import { RecoveryProgress } from './recovery-progress.tsx';

type Recovered = Pick<Endpoint, 'id' | 'url' | 'isActive'>;

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
        {endpoint.url}
      </Text>
      {!endpoint.isActive ? (
        <Alert color="yellow">The endpoint is inactive. Activate it, then recover what it did not receive.</Alert>
      ) : operationId === undefined ? (
        <RecoverForm endpointId={endpoint.id} onStarted={setOperationId} />
      ) : (
        <RecoveryProgress operationId={operationId} onClose={onClose} />
      )}
    </>
  );
}
