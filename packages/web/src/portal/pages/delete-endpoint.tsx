import { api } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { addressOf } from '../../components/destination/address-of.ts';
import { rich, t } from '../../language/language.ts';
import { useReadAgain } from '../portal-queries.ts';
import { go, hrefOf } from '../view.ts';

type Props = { endpoint: Endpoint; opened: boolean; onClose: () => void };

/** Asks before it deletes an endpoint. */
export function DeleteEndpoint({ endpoint, opened, onClose }: Props) {
  const readAgain = useReadAgain();
  const remove = api.useMutation('delete', '/api/portal/endpoints/{id}', {
    onSuccess: () => {
      go(hrefOf('endpoints'));
      void readAgain();
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t('Delete your endpoint?')}
      action={t('Delete endpoint')}
      onConfirm={() => remove.mutate({ params: { path: { id: endpoint.id } } })}
      pending={remove.isPending}
      error={remove.error}
    >
      {rich(
        '{span}{br}Its subscriptions and its signing secret are removed, and messages that are still on their way to it fail. This cannot be undone.',
        { span: <span className="mono">{addressOf(endpoint)}</span>, br: <br /> },
      )}
    </ConfirmDialog>
  );
}
