import { Menu, Modal } from '@mantine/core';
import { useMemo, useState } from 'react';
import { client } from '../../../client/api.ts';
import type { AgentSubscription } from '../../../client/resources.ts';
import { SubscribedEvent, Subscriber, SubscriptionState } from '../../../components/agent-subscription.tsx';
import { ConfirmContent } from '../../../components/confirm-dialog.tsx';
import { ListFooter } from '../../../components/list-footer.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { AccessList } from './access-list.tsx';
import { AGENT_SUBSCRIPTIONS, useAgentSubscriptions } from './access-queries.ts';
import { useAccessChange } from './use-access-change.ts';

/** What agents have subscribed to in the environment, of all customers or of one. */
export function AgentSubscriptions({ applicationId }: { applicationId?: string }) {
  const place = usePlace();
  const canEnd = mayChange(place);
  const { list, pages } = useAgentSubscriptions(place, applicationId);
  const { rows } = pages.state;
  const [ending, setEnding] = useState<AgentSubscription | null>(null);
  const close = () => setEnding(null);
  const columns = useMemo(() => columnsOf(canEnd ? setEnding : undefined), [canEnd]);
  return (
    <>
      <AccessList
        label="Subscriptions"
        sentence="Subscriptions of agents. One that has ended stays here for 7 days."
        button={null}
        query={{ ...list, data: rows }}
        onSeen={pages.onSeen}
        onEnd={pages.onEnd}
        footer={list.hasNextPage ? <ListFooter count={rows?.length ?? 0} list={list} /> : undefined}
        columns={columns}
        rowId={({ endpointId }) => endpointId}
        // It stands below another list, here and on the page of a customer.
        hasKeys={false}
      />
      <Modal opened={ending !== null} onClose={close} title="End the subscription?" size="sm">
        {ending === null ? null : <End of={ending} onClose={close} />}
      </Modal>
    </>
  );
}

function End({ of, onClose }: { of: AgentSubscription; onClose: () => void }) {
  const place = usePlace();
  const end = useAccessChange(
    AGENT_SUBSCRIPTIONS,
    () =>
      client.DELETE('/api/workspaces/{workspaceId}/agent-subscriptions/{subscriptionId}', {
        params: { path: { workspaceId: place.workspace.id, subscriptionId: of.id } },
      }),
    { onClose, isToldElsewhere: true },
  );
  return (
    <ConfirmContent
      onClose={onClose}
      action="End subscription"
      onConfirm={() => end.mutate(undefined)}
      pending={end.isPending}
      error={end.error}
    >
      The agent gets no more {of.eventType} at {new URL(of.url).host}. It may subscribe again while its key or its login
      works.
    </ConfirmContent>
  );
}

function columnsOf(end: ((of: AgentSubscription) => void) | undefined): Column<AgentSubscription>[] {
  const columns: Column<AgentSubscription>[] = [
    {
      id: 'event',
      header: 'Event',
      width: 'minmax(110px, 1fr)',
      isMono: true,
      cell: (of) => <SubscribedEvent of={of} />,
    },
    {
      id: 'agent',
      header: 'Agent',
      width: 'minmax(110px, 1fr)',
      cell: (of) => <Subscriber of={of} />,
    },
    {
      id: 'callback',
      header: 'Callback',
      width: 'minmax(110px, 1fr)',
      from: 'sm',
      isMono: true,
      cell: ({ url }) => new URL(url).host,
    },
    { id: 'state', header: 'State', width: 'minmax(136px, 1fr)', cell: (of) => <SubscriptionState of={of} /> },
    {
      id: 'delivered',
      header: 'Last delivery',
      width: '100px',
      from: 'sm',
      cell: ({ lastDeliveryAt }) => <RelativeTime at={lastDeliveryAt} />,
    },
  ];
  if (end === undefined) return columns;
  const menu = (of: AgentSubscription) =>
    of.status === 'ended' ? null : (
      <RowMenu of={of.eventType}>
        <Menu.Item color="red" onClick={() => end(of)}>
          End …
        </Menu.Item>
      </RowMenu>
    );
  return [...columns, { id: 'actions', header: '', width: '28px', cell: menu }];
}
