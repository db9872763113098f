/** What came back: the status, the parsed body (undefined when empty), and the headers. */
export type ApiReply<Body = Record<string, unknown>> = { status: number; body: Body; headers: Headers };

export type ApiClient = {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely; the contract tests parse them.
  call: (method: string, path: string, body?: unknown) => Promise<ApiReply<any>>;
  /** The event type published, an endpoint subscribed to it: what an event needs to arrive. */
  subscribeEndpoint: (input: {
    url: string;
    eventType: string;
    config?: object;
  }) => Promise<{ endpointId: string; secret: string; eventTypeId: string }>;
};

/** Speaks the management interface of one workspace; paths are below the workspace. */
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
      const created = await call('POST', '/event-types', { name: eventType, publishIn: [input.environmentId] });
      const types = created.status === 409 ? await call('GET', '/event-types') : created;
      const list: { id: string; name: string }[] = created.status === 409 ? types.body : [types.body];
      const eventTypeId = list.find((one) => one.name === eventType)?.id ?? '';
      const environmentId = input.environmentId;
      const endpoint = await call('POST', '/endpoints', { url, environmentId, ...(config ? { config } : {}) });
      if (endpoint.status !== 201) throw new Error(`the endpoint was refused: ${JSON.stringify(endpoint.body)}`);
      await call('POST', `/endpoints/${endpoint.body.id}/subscriptions`, { eventTypeIds: [eventTypeId] });
      return { endpointId: endpoint.body.id, secret: endpoint.body.secret, eventTypeId };
    },
  };
}
