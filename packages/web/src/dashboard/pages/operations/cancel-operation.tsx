import { api } from '../../../client/api.ts';
import type { Operation } from '../../../client/resources.ts';
import { ConfirmDialog } from '../../../components/confirm-dialog.tsx';
import { progressWords } from '../../../components/operation/operation-words.ts';
import { useReadOperationAgain } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { cancelWords } from './cancel-words.ts';

/** Asks before it cancels an operation. `operation` is null while the dialog is closed. */
export function CancelOperation({ operation, onClose }: { operation: Operation | null; onClose: () => void }) {
  const { workspace } = usePlace();
  const readAgain = useReadOperationAgain(workspace.id);
  const { mutate, isPending, error, reset } = api.useMutation(
    'post',
    '/api/workspaces/{workspaceId}/operations/{id}/cancel',
    {
      onSuccess: () => onClose(),
      onSettled: (_answer, _error, { params }) => readAgain(params.path.id),
    },
  );
  const close = () => {
    reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={operation !== null}
      onClose={close}
      title="Cancel this operation?"
      dismiss="Keep it running"
      action="Cancel operation"
      onConfirm={() => operation && mutate({ params: { path: { workspaceId: workspace.id, id: operation.id } } })}
      pending={isPending}
      error={error}
    >
      {operation === null ? '' : `${progressWords(operation)} ${cancelWords(operation)}`} A cancelled operation cannot
      be continued.
    </ConfirmDialog>
  );
}
