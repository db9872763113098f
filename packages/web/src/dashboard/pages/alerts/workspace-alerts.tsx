import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, client } from '../../../client/api.ts';
import type { AlertEnvironments } from '../../../components/alerts/alert-form.tsx';
import { AlertRules, type AlertRulesApi } from '../../../components/alerts/alert-rules.tsx';
import {
  type AlertChannel,
  type AlertEvent,
  type AlertRule,
  CHANNEL_WORDS,
  CUSTOMER_EVENTS,
  EVENT_WORDS,
} from '../../../components/alerts/alert-words.ts';
import type { Column } from '../../../components/table-columns.ts';
import { CustomerCell } from '../../customer-name.tsx';
import { type HrefOf, useHrefOf, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { meQuery } from '../../session.ts';

/** The refetch interval of the list, so that it shows the result of a test. */
const EVERY_MS = 5_000;
const CHANNELS = Object.keys(CHANNEL_WORDS) as AlertChannel[];
const EVENTS = Object.keys(EVENT_WORDS) as AlertEvent[];

const alertRulesQuery = (workspaceId: string, applicationId: string | undefined) => {
  const query = applicationId === undefined ? {} : { application_id: applicationId };
  return api.queryOptions('get', '/api/workspaces/{workspaceId}/alert-rules', {
    params: { path: { workspaceId }, query },
  });
};

/**
 * The alert rules of the workspace, or all rules about one customer, including those that the customer made in its
 * portal. In a customer's list, new rules are about that customer.
 */
export function WorkspaceAlerts({ applicationId }: { applicationId?: string }) {
  const place = usePlace();
  const workspaceId = place.workspace.id;
  const rules = useQuery({ ...alertRulesQuery(workspaceId, applicationId), refetchInterval: EVERY_MS });
  const sendsMail = useQuery(meQuery()).data?.sendsMail ?? false;
  const operations = useMemo(() => operationsOf(workspaceId, applicationId), [workspaceId, applicationId]);
  const hrefOf = useHrefOf();
  const environments = useEnvironments();
  const more = useMemo(
    () => [
      ...(environments === undefined ? [] : [environmentColumn(environments)]),
      applicationId === undefined ? customerColumn(hrefOf) : MAKER,
    ],
    [environments, applicationId, hrefOf],
  );
  return (
    <AlertRules
      api={operations}
      rules={rules}
      channels={CHANNELS}
      events={applicationId === undefined ? EVENTS : CUSTOMER_EVENTS}
      sendsMail={sendsMail}
      mayChange={mayChange(place)}
      environments={environments}
      more={more}
      // On the customer's page, j and k belong to another list.
      hasKeys={applicationId === undefined}
    />
  );
}

/** The environments to choose from; undefined if the workspace has only one. */
function useEnvironments(): AlertEnvironments | undefined {
  const { environments } = usePlace();
  return useMemo(() => {
    if (environments.length < 2) return undefined;
    const names = new Map(environments.map(({ id, name }) => [id, name]));
    return { label: 'Environment', every: 'Every environment', names };
  }, [environments]);
}

function environmentColumn({ label, names }: AlertEnvironments): Column<AlertRule> {
  return {
    id: 'environment',
    header: label,
    width: 'minmax(90px, 1fr)',
    from: 'md',
    cell: ({ environmentId }) => (environmentId === null ? 'Every one' : (names.get(environmentId) ?? environmentId)),
  };
}

function customerColumn(hrefOf: HrefOf): Column<AlertRule> {
  return {
    id: 'customer',
    header: 'Customer',
    width: 'minmax(90px, 1fr)',
    from: 'md',
    cell: ({ applicationId }) =>
      applicationId === null ? 'Every one' : <CustomerCell id={applicationId} hrefOf={hrefOf} known={NONE_KNOWN} />,
  };
}

/** No names are preloaded: few rules are about one customer, so each name is read on its own. */
const NONE_KNOWN = { customers: new Map() };

const MAKER: Column<AlertRule> = {
  id: 'maker',
  header: 'Made by',
  width: '124px',
  from: 'sm',
  cell: ({ isOfPortal }) => (isOfPortal ? 'The customer' : 'Your workspace'),
};

function operationsOf(workspaceId: string, applicationId: string | undefined): AlertRulesApi {
  const at = (id: string) => ({ params: { path: { workspaceId, id } } });
  return {
    // The key of every list of rules in the workspace, because a rule about a customer is in two of them.
    queryKey: alertRulesQuery(workspaceId, undefined).queryKey.slice(0, 2),
    create: ({ environmentId, ...draft }) =>
      client.POST('/api/workspaces/{workspaceId}/alert-rules', {
        params: { path: { workspaceId } },
        body: {
          ...draft,
          ...(applicationId !== undefined && { applicationId }),
          ...(typeof environmentId === 'string' && { environmentId }),
        },
      }),
    update: (id, body) => client.PATCH('/api/workspaces/{workspaceId}/alert-rules/{id}', { ...at(id), body }),
    remove: (id) => client.DELETE('/api/workspaces/{workspaceId}/alert-rules/{id}', at(id)),
    test: (id) => client.POST('/api/workspaces/{workspaceId}/alert-rules/{id}/test', at(id)),
  };
}
