import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import { ApiError, apiErrorOf, isUnauthorized } from '../../../client/api-error.ts';
import type { Endpoint, EventType } from '../../../client/resources.ts';
import { usePlace } from '../../place.ts';
import { apiKeysQuery } from '../access/access-queries.ts';
import { keyNotShown } from '../access/key-sheets.tsx';
import { useAccessChange } from '../access/use-access-change.ts';
import { ATTEMPTS } from '../deliveries/delivery-queries.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { EXAMPLE_CUSTOMER, EXAMPLE_PAYLOAD, RETRYING } from './example.ts';
import type { GetStarted } from './use-get-started.ts';
import { isWorkingPlayground } from './working-playground.ts';

/** The five operations of the page, as mutations. */
export function useSteps({ typeName, type, endpoint, application, apiKey, setApiKey }: GetStarted) {
  const path = { workspaceId: usePlace().workspace.id };
  const event = { typeName, application: application ?? '', apiKey: apiKey ?? '' };
  const environmentId = usePlace().environment.id;
  const queryClient = useQueryClient();
  const onSettled = () => queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== ATTEMPTS[0] });
  const createType = usePublishedType(typeName, onSettled);
  const createEndpoint = useMutation({
    mutationFn: async () => {
      const id = await usablePlayground(path, environmentId, application === '*' ? null : await exampleCustomer(path));
      if (id === undefined || type === undefined) return;
      const params = { path: { ...path, id } };
      const eventTypeIds = [type.id];
      await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
        params,
        body: { eventTypeIds },
      });
    },
    onSettled,
  });
  const createKey = useNewKey(setApiKey);
  const send = useMutation({ mutationFn: () => sendEvent(event, EXAMPLE_PAYLOAD), onSettled });
  const fail = useMutation({
    mutationFn: async () => {
      const params = { path: { ...path, id: endpoint?.id ?? '' } };
      const config = { ...endpoint?.config, ...RETRYING };
      await client.PATCH('/api/workspaces/{workspaceId}/endpoints/{id}', { params, body: { config } });
      await sendEvent(event, EXAMPLE_PAYLOAD);
    },
    onSettled,
  });
  return { createType, createEndpoint, createKey, send, fail };
}

/** Sends an event with an API key, without the session. Throws an error if it is not accepted. */
async function sendEvent(
  { typeName, application, apiKey }: { typeName: string; application: string; apiKey: string },
  payload: object,
): Promise<void> {
  const answer = await fetch(`/api/ingest/event/${encodeURIComponent(typeName)}`, {
    method: 'POST',
    credentials: 'omit',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-application-id': application,
    },
    body: JSON.stringify(payload),
  });
  if (answer.ok) return;
  const body: unknown = await answer.json().catch(() => null);
  const refused = apiErrorOf(answer, body);
  // The API key was refused. An ApiError with this status would end the dashboard's session, so it becomes another
  // error.
  throw isUnauthorized(refused) ? new Error(refused.message) : refused;
}

/**
 * Creates an API key for the page. If its response arrives after the reader has left the page, a notification says so.
 */
function useNewKey(onKey: (key: string) => void) {
  const place = usePlace();
  const path = { workspaceId: place.workspace.id, environmentId: place.environment.id };
  return useAccessChange<void, { data?: { key: string | null } }>(
    apiKeysQuery(place).queryKey,
    () =>
      client.POST('/api/workspaces/{workspaceId}/environments/{environmentId}/api-keys', {
        params: { path },
        body: { name: DESCRIPTION },
      }),
    {
      onSuccess: ({ data }) => (data?.key ? onKey(data.key) : undefined),
      isToldElsewhere: true,
      afterClose: () => keyNotShown(DESCRIPTION),
    },
  );
}

const DESCRIPTION = 'Get started';
const MAX_SEARCHED = 100;

/** The id of the example's customer, who is created if missing. */
async function exampleCustomer({ workspaceId }: { workspaceId: string }): Promise<string | null> {
  const { name, externalId } = EXAMPLE_CUSTOMER;
  const params = { path: { workspaceId, applicationId: `ext:${externalId}` } };
  const { data } = await client.PUT('/api/workspaces/{workspaceId}/applications/{applicationId}', {
    params,
    body: { name },
  });
  return data?.id ?? null;
}

/** A playground that this step created earlier and could not subscribe then, if it still works; otherwise a new one. */
async function usablePlayground(
  path: { workspaceId: string },
  environmentId: string,
  applicationId: string | null,
): Promise<string | undefined> {
  const query = { environment_id: environmentId, is_active: true, limit: MAX_SEARCHED };
  const { data: present } = await client.GET('/api/workspaces/{workspaceId}/endpoints', { params: { path, query } });
  const isOfStep = (one: Endpoint) => isWorkingPlayground(one) && one.description === DESCRIPTION;
  const earlier = present?.find((one) => isOfStep(one) && one.applicationId === applicationId);
  if (earlier !== undefined) return earlier.id;
  const body = {
    ...{ type: 'playground' as const, environmentId, description: DESCRIPTION },
    ...(applicationId !== null && { applicationId }),
  };
  const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints', { params: { path }, body });
  return data?.id;
}

/** Creates the event type and publishes it in the environment. If the type exists, only publishes it. */
function usePublishedType(name: string, onSettled: () => void) {
  const { workspace, environment } = usePlace();
  const queryClient = useQueryClient();
  const path = { workspaceId: workspace.id };
  const create = () =>
    client.POST('/api/workspaces/{workspaceId}/event-types', {
      params: { path },
      body: { name, publishIn: [environment.id], example: EXAMPLE_PAYLOAD },
    });
  const publish = ({ id: eventTypeId }: EventType) =>
    client.PUT('/api/workspaces/{workspaceId}/environments/{environmentId}/event-types/{eventTypeId}/visibility', {
      params: { path: { ...path, environmentId: environment.id, eventTypeId } },
      body: { published: true },
    });
  const isIt = (one: EventType) => one.name === name;
  return useMutation({
    mutationFn: async () => {
      const query = eventTypesQuery(workspace.id);
      const known: EventType[] | undefined = queryClient.getQueryData(query.queryKey);
      const existing = known?.find(isIt);
      if (existing !== undefined) return publish(existing);
      return create().catch(async (error: unknown) => {
        // Somebody else created it after the list was read.
        const isTaken = error instanceof ApiError && error.code === 'event_type_exists';
        const types = isTaken ? await queryClient.fetchQuery({ ...query, staleTime: 0 }) : [];
        const made = types.find(isIt);
        if (made === undefined) throw error;
        return publish(made);
      });
    },
    onSettled,
  });
}
