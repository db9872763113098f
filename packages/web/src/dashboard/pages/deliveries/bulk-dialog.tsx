import { Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { readAgain } from '../../../client/by-pages.ts';
import { nowMs } from '../../../clock.ts';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { ErrorNotice } from '../../../components/error-notice.tsx';
import { DryRunCount } from '../../../components/operation/dry-run-count.tsx';
import { countWords } from '../../../components/operation/operation-words.ts';
import { OPERATION_LISTS } from '../../operations/operation-queries.ts';
import { usePlace } from '../../place.ts';
import { type BulkAction, bulkDryRunQuery, bulkFilter, startBulk } from './bulk-queries.ts';
import type { DeliveriesSearch } from './deliveries-search.ts';
import { DELIVERY_LISTS } from './delivery-queries.ts';

type Props = { action: BulkAction | null; search: DeliveriesSearch; onClose: () => void };

const WORDS = {
  retry: { title: 'Retry every delivery that matches?', verb: 'Retry', started: 'Retrying' },
  cancel: { title: 'Cancel every open delivery that matches?', verb: 'Cancel', started: 'Cancelling' },
};

/** Counts what a bulk action would change, then asks. `action` is null while the dialog is closed. */
export function BulkDialog({ action, search, onClose }: Props) {
  return (
    <Modal opened={action !== null} onClose={onClose} title={action && WORDS[action].title} size="md">
      {action === null ? null : <Content action={action} search={search} onClose={onClose} />}
    </Modal>
  );
}

function Content({ action, search, onClose }: Props & { action: BulkAction }) {
  const place = usePlace();
  const queryClient = useQueryClient();
  const [filter] = useState(() => bulkFilter(place, search, nowMs()));
  const dryRun = useQuery(bulkDryRunQuery(place.workspace.id, action, filter));
  const matched = dryRun.data?.matched ?? 0;
  const { verb, started } = WORDS[action];
  const start = useMutation({
    mutationFn: () => startBulk(place.workspace.id, action, filter),
    onSuccess: () => {
      void readAgain(queryClient, OPERATION_LISTS);
      void readAgain(queryClient, DELIVERY_LISTS);
      notifications.show({ message: `${started} ${countWords(matched, 'delivery')}. The header shows the progress.` });
      onClose();
    },
  });
  return (
    <ConfirmContent
      action={matched === 0 ? verb : `${verb} ${countWords(matched, 'delivery')}`}
      dismiss="Keep them as they are"
      onClose={onClose}
      onConfirm={() => start.mutate()}
      pending={start.isPending}
      disabled={matched === 0}
      error={start.error}
    >
      <Stack gap="md">
        <Scope action={action} search={search} />
        {dryRun.error ? (
          <ErrorNotice title="Not counted" error={dryRun.error} onRetry={() => void dryRun.refetch()} />
        ) : (
          <DryRunCount dryRun={dryRun.data} noun="delivery" />
        )}
      </Stack>
    </ConfirmContent>
  );
}

function Scope({ action, search }: { action: BulkAction; search: DeliveriesSearch }) {
  const { environment } = usePlace();
  const isUnfiltered = Object.keys(search).length === 0;
  return (
    <Text size="sm">
      {isUnfiltered ? `No filter is set: this takes all of ${environment.name}. ` : 'The filters of the list apply. '}
      {action === 'cancel'
        ? 'Pending deliveries and scheduled retries become failed. A cancelled delivery can be retried.'
        : 'Each gets a full schedule again.'}
      {action === 'retry' && (search.status === undefined || search.status === 'delivered')
        ? ' Delivered ones are sent again, too.'
        : ''}
    </Text>
  );
}
