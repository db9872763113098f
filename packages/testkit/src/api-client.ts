/** The answer: the status, the parsed body (undefined when empty), and the headers. */
export type ApiReply<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers };

export type ApiClient = {
  /** The caller states the type of the body; the contract tests parse it. */
  call: <Body = Record<string, unknown>>(method: string, path: string, body?: unknown) => Promise<ApiReply<Body>>;
  /** Publishes the event type and subscribes a new endpoint to it, so that events arrive. */
  subscribeEndpoint: (input: {
    url: string;
    eventType: string;
    config?: object;
  }) => Promise<{ endpointId: string; secret: string; eventTypeId: string }>;
};

/** A client for the management interface of one workspace; paths are below the workspace. */
export function createApiClient(input: {
  baseUrl: string;
  workspaceId: string;
  managementToken: string;
  environmentId: string;
}): ApiClient {
  const base = `${input.baseUrl}/management/v1/workspaces/${input.workspaceId}`;
  const call: ApiClient['call'] = async (method, path, body) => {
    const response = await fetch(`${base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${input.managementToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers };
  };
  return {
    call,
    async subscribeEndpoint({ url, eventType, config }) {
      await call('POST', '/event-types', { name: eventType, publishIn: [input.environmentId] });
      const types = await call<{ id: string; name: string }[]>('GET', '/event-types');
      const eventTypeId = types.body.find((one) => one.name === eventType)?.id ?? '';
      const environmentId = input.environmentId;
      const wanted = { url, environmentId, ...(config ? { config } : {}) };
      const endpoint = await call<{ id: string; secret: string }>('POST', '/endpoints', wanted);
      if (endpoint.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(endpoint.body)}`);
      await call('POST', `/endpoints/${endpoint.body.id}/subscriptions`, { eventTypeIds: [eventTypeId] });
      return { endpointId: endpoint.body.id, secret: endpoint.body.secret, eventTypeId };
    },
  };
}
