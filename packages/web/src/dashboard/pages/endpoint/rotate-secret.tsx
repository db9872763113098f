import { Select, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../client/api.ts';
import { nowMs } from '../../../clock.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { usePlace } from '../../place.ts';
import { showEndpoint } from '../endpoints/use-update-endpoint.ts';
import { SecretAxis } from './secret-axis.tsx';

export type Rotation = { atMs: number; graceSeconds: number };

type Props = { endpointId: string; opened: boolean; onClose: () => void; onRotated: (rotation: Rotation) => void };

const GRACES = [
  { value: '86400', label: 'for 24 hours' },
  { value: '3600', label: 'for 1 hour' },
  { value: '259200', label: 'for 3 days' },
  { value: '604800', label: 'for 7 days' },
  { value: '0', label: 'no longer: it ends at once' },
];

/** Asks how long the old secret signs too, shows it on a time axis, and rotates. */
export function RotateSecret({ endpointId, opened, onClose, onRotated }: Props) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const [grace, setGrace] = useState('86400');
  const graceSeconds = Number(grace);
  const path = '/api/workspaces/{workspaceId}/endpoints/{id}/secret/rotate';
  const rotate = api.useMutation('post', path, {
    onSuccess: (endpoint) => {
      showEndpoint(queryClient, place, endpoint);
      onRotated({ atMs: nowMs(), graceSeconds });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Rotate the signing secret?"
      action="Rotate secret"
      pending={rotate.isPending}
      error={rotate.error}
      onConfirm={() =>
        rotate.mutate({
          params: { path: { workspaceId: place.workspace.id, id: endpointId } },
          body: { gracePeriodSeconds: graceSeconds },
        })
      }
    >
      <Stack gap="md">
        <span>
          A new secret signs from now on. While both sign, a receiver accepts requests with either secret. This cannot
          be undone.
        </span>
        <Select
          label="The old secret signs"
          size="sm"
          allowDeselect={false}
          data={GRACES}
          value={grace}
          onChange={(value) => setGrace(value ?? '86400')}
        />
        <SecretAxis atMs={null} graceSeconds={graceSeconds} />
      </Stack>
    </ConfirmDialog>
  );
}
