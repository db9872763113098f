import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api, client } from '../../../client/api.ts';
import { AlertRules, type AlertRulesApi } from '../../../components/alerts/alert-rules.tsx';
import {
  type AlertChannel,
  type AlertEvent,
  CHANNEL_WORDS,
  EVENT_WORDS,
} from '../../../components/alerts/alert-words.ts';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { meQuery } from '../../session.ts';

/** While a test is on its way, the list shows what became of it. */
const EVERY_MS = 5_000;
const CHANNELS = Object.keys(CHANNEL_WORDS) as AlertChannel[];
const EVENTS = Object.keys(EVENT_WORDS) as AlertEvent[];

const alertRulesQuery = (workspaceId: string) =>
  api.queryOptions('get', '/api/workspaces/{workspaceId}/alert-rules', { params: { path: { workspaceId } } });

/** The alert rules of the workspace. */
export function AlertsPage() {
  const place = usePlace();
  const workspaceId = place.workspace.id;
  const rules = useQuery({ ...alertRulesQuery(workspaceId), refetchInterval: EVERY_MS });
  const sendsMail = useQuery(meQuery()).data?.sendsMail ?? false;
  const operations = useMemo(() => operationsOf(workspaceId), [workspaceId]);
  return (
    <>
      <PageHeader title="Alerts" line="Who is told when something fails, recovers or ends." />
      <AlertRules
        api={operations}
        rules={rules}
        channels={CHANNELS}
        events={EVENTS}
        sendsMail={sendsMail}
        mayChange={mayChange(place)}
      />
    </>
  );
}

function operationsOf(workspaceId: string): AlertRulesApi {
  const at = (id: string) => ({ params: { path: { workspaceId, id } } });
  return {
    queryKey: alertRulesQuery(workspaceId).queryKey,
    create: (body) =>
      client.POST('/api/workspaces/{workspaceId}/alert-rules', { params: { path: { workspaceId } }, body }),
    update: (id, body) => client.PATCH('/api/workspaces/{workspaceId}/alert-rules/{id}', { ...at(id), body }),
    remove: (id) => client.DELETE('/api/workspaces/{workspaceId}/alert-rules/{id}', at(id)),
    test: (id) => client.POST('/api/workspaces/{workspaceId}/alert-rules/{id}/test', at(id)),
  };
}
