import { EXAMPLE_CUSTOMER, EXAMPLE_PAYLOAD, RETRYING } from './example.ts';
import type { GetStarted } from './use-get-started.ts';

const JSON_BODY = '-H "Content-Type: application/json"';

type Known = Pick<GetStarted, 'typeName' | 'type' | 'endpoint' | 'application' | 'apiKey'> & {
  baseUrl: string;
  workspaceId: string;
  environmentId: string;
  token: string | undefined;
};

/** The command of each step, filled in as far as possible. A shell variable stands for each missing value. */
export function commandsOf(known: Known) {
  const { typeName, environmentId } = known;
  const { name, externalId } = EXAMPLE_CUSTOMER;
  const hasCustomers = known.application !== '*';
  return {
    type: manage(known, 'POST', 'event-types', { name: typeName, publishIn: [environmentId] }),
    endpoint: [
      ...(hasCustomers ? [manage(known, 'PUT', `applications/ext:${externalId}`, { name })] : []),
      manage(known, 'POST', 'endpoints', {
        type: 'playground',
        environmentId,
        ...(hasCustomers && { applicationId: `ext:${externalId}` }),
      }),
      manage(known, 'POST', `endpoints/${known.endpoint?.id ?? '$ENDPOINT_ID'}/subscriptions`, {
        eventTypeIds: [known.type?.id ?? '$EVENT_TYPE_ID'],
      }),
    ].join('\n\n'),
    key: manage(known, 'POST', `environments/${environmentId}/api-keys`, { name: 'Get started' }),
    send: [
      `curl -X POST "${known.baseUrl}/api/ingest/event/${typeName}" \\`,
      `  -H "Authorization: Bearer ${known.apiKey ?? '$API_KEY'}" ${JSON_BODY} \\`,
      `  -H "X-Application-Id: ${known.application ?? `ext:${externalId}`}" \\`,
      `  -d '${JSON.stringify(EXAMPLE_PAYLOAD)}'`,
    ].join('\n'),
    fail: manage(known, 'PATCH', `endpoints/${known.endpoint?.id ?? '$ENDPOINT_ID'}`, { config: RETRYING }),
  };
}

/**
 * A request with the management token. Its variable has a special name: MANAGEMENT_TOKEN, which `.posthorn/env` sets,
 * may hold the token of another workspace.
 */
function manage({ baseUrl, workspaceId, token }: Known, method: string, path: string, body: object): string {
  return [
    `curl -X ${method} "${baseUrl}/management/v1/workspaces/${workspaceId}/${path}" \\`,
    `  -H "Authorization: Bearer ${token ?? '$WORKSPACE_TOKEN'}" ${JSON_BODY} \\`,
    `  -d '${JSON.stringify(body)}'`,
  ].join('\n');
}
