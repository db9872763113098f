import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../../client/api.ts';
import type { Environment } from '../../../client/resources.ts';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { usePlace } from '../../place.ts';
import { usePlaceChange } from './use-place-change.ts';

type Props = { environment: Environment | null; onClose: () => void };

/** Switches whether each event must name a customer. Before that, it shows whose events would be refused. */
export function RequireCustomerDialog({ environment, onClose }: Props) {
  const required = environment?.requireApplication ?? false;
  const name = environment?.name ?? '';
  const title = required ? `Accept events without a customer in ${name}?` : `Require a customer in ${name}?`;
  return (
    <Modal opened={environment !== null} onClose={onClose} title={title} size="sm">
      {environment === null ? null : <Content environment={environment} onClose={onClose} />}
    </Modal>
  );
}

function Content({
  environment: { id, requireApplication },
  onClose,
}: {
  environment: Environment;
  onClose: () => void;
}) {
  const { workspace } = usePlace();
  const params = { path: { workspaceId: workspace.id, environmentId: id } };
  const save = usePlaceChange(
    () =>
      client.PATCH('/api/workspaces/{workspaceId}/environments/{environmentId}', {
        params,
        body: { requireApplication: !requireApplication },
      }),
    onClose,
  );
  const { data, error } = useQuery({ ...countQuery(workspace.id, id), enabled: !requireApplication });
  return (
    <ConfirmContent
      onClose={onClose}
      action={requireApplication ? 'Accept them' : 'Require a customer'}
      onConfirm={() => save.mutate(undefined)}
      pending={save.isPending}
      disabled={!requireApplication && data === undefined && error === null}
      error={save.error}
    >
      {requireApplication
        ? 'An event that names no customer then goes to the subscribed endpoints of every customer.'
        : requiredWords(data?.eventsWithoutApplication)}
    </ConfirmContent>
  );
}

const countQuery = (workspaceId: string, environmentId: string) =>
  api.queryOptions(
    'get',
    '/api/workspaces/{workspaceId}/environments/{environmentId}',
    { params: { path: { workspaceId, environmentId }, query: { include: 'events_without_application' } } },
    { staleTime: 0 },
  );

function requiredWords(count: number | undefined): string {
  const rule =
    'Events that name no customer are then refused. To send one to all customers, a producer sends X-Application-Id: *.';
  if (count === undefined) return rule;
  if (count === 0) return `${rule} No event of the last 7 days was without a customer.`;
  const events = count === 1 ? '1 event' : `${count.toLocaleString('en')} events`;
  return `${rule} In the last 7 days, ${events} named none: change their producers first.`;
}
