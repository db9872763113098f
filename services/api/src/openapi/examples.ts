import type { JsonObject } from './json.ts';

const SUFFIX = '01jczhk8m3fd8tqv5x0w2b9n4e';

/** A made-up id of each kind, the same everywhere, so that examples fit together. */
export const EXAMPLE_IDS = {
  workspace: `ws_${SUFFIX}`,
  environment: `env_${SUFFIX}`,
  targetEnvironment: 'env_01jd0b3xq7e8xv2m4h6s1r9k5c',
  application: `app_${SUFFIX}`,
  endpoint: `ep_${SUFFIX}`,
  eventType: `evt_${SUFFIX}`,
  delivery: `dlv_${SUFFIX}`,
  event: `msg_${SUFFIX}`,
  apiKey: `key_${SUFFIX}`,
  pullKey: `plk_${SUFFIX}`,
  agentKey: `agk_${SUFFIX}`,
  agentSubscription: 'mcs_3f0kq1v8m2d6s9xw4y7b5c0zna',
  alertRule: `alr_${SUFFIX}`,
  managementToken: `tok_${SUFFIX}`,
  user: `usr_${SUFFIX}`,
  session: `ses_${SUFFIX}`,
  portalSession: `prt_${SUFFIX}`,
  operation: `op_${SUFFIX}`,
};

/** The made-up id for a path parameter that follows `segment`. */
export function exampleId(name: string, segment: string): string {
  if (name === 'eventTypeId') return EXAMPLE_IDS.eventType;
  return BY_SEGMENT[segment] ?? EXAMPLE_IDS.event;
}

const BY_SEGMENT: Record<string, string> = {
  workspaces: EXAMPLE_IDS.workspace,
  environments: EXAMPLE_IDS.environment,
  diff: EXAMPLE_IDS.targetEnvironment,
  promote: EXAMPLE_IDS.targetEnvironment,
  applications: EXAMPLE_IDS.application,
  endpoints: EXAMPLE_IDS.endpoint,
  'event-types': EXAMPLE_IDS.eventType,
  deliveries: EXAMPLE_IDS.delivery,
  events: EXAMPLE_IDS.event,
  'api-keys': EXAMPLE_IDS.apiKey,
  'pull-keys': EXAMPLE_IDS.pullKey,
  'agent-keys': EXAMPLE_IDS.agentKey,
  'agent-subscriptions': EXAMPLE_IDS.agentSubscription,
  'alert-rules': EXAMPLE_IDS.alertRule,
  pull: EXAMPLE_IDS.endpoint,
  'management-tokens': EXAMPLE_IDS.managementToken,
  members: EXAMPLE_IDS.user,
  sessions: EXAMPLE_IDS.session,
  'portal-sessions': EXAMPLE_IDS.portalSession,
  operations: EXAMPLE_IDS.operation,
};

const LEASE = { deliveryId: EXAMPLE_IDS.delivery, leaseToken: '0193258f-a283-7b9a-a37c-ba00e5e5c49f' };

/**
 * A request body for each operation with a body, by the row's operationId. A test sends each one to a server that has
 * the resources of the ids.
 */
export const EXAMPLES: Record<string, JsonObject> = {
  updateWorkspace: { name: 'Acme' },
  applyWorkspace: {
    document: {
      version: 1,
      environments: [{ slug: 'production', name: 'Production' }],
      eventTypes: [{ name: 'order.shipped', publishIn: ['production'] }],
      endpoints: [
        {
          externalId: 'warehouse',
          environment: 'production',
          url: 'https://example.com/webhooks',
          eventTypes: ['order.shipped'],
        },
      ],
    },
    dryRun: true,
  },
  createEnvironment: { name: 'Staging', slug: 'staging' },
  updateEnvironment: { name: 'Live' },
  promoteEnvironment: {
    eventTypes: 'all',
    endpoints: [{ endpointId: EXAMPLE_IDS.endpoint, url: 'https://example.com/webhooks' }],
    dryRun: true,
  },
  createEventType: {
    name: 'order.created',
    description: 'A customer placed an order.',
    publishIn: [EXAMPLE_IDS.environment],
    example: { order: 17, total: 4_200, currency: 'EUR' },
  },
  updateEventType: {
    description: 'A customer placed an order and paid for it.',
    schema: {
      type: 'object',
      required: ['order', 'total'],
      properties: {
        order: { type: 'integer' },
        total: { type: 'integer', minimum: 0, description: 'In cents.' },
        currency: { enum: ['EUR', 'USD'] },
      },
    },
  },
  precheckEventType: { environmentId: EXAMPLE_IDS.environment, payload: { order: 17 } },
  setEventTypeVisibility: { published: true, schemaMode: 'warn' },
  createApplication: { name: 'Globex', externalId: 'customer-17', metadata: { region: 'eu' } },
  upsertApplication: { name: 'Globex', metadata: { region: 'eu' } },
  updateApplication: { name: 'Globex Corporation', metadata: { region: 'us' } },
  searchEvents: { search: ['order_id:order_1002'], eventType: 'order.created' },
  indexEvents: { eventType: 'order.created', from: '2026-11-21T00:00:00Z' },
  searchDeliveries: { search: ['order_id:order_1002'], status: 'failed' },
  createEvent: { eventType: 'order.created', data: { orderId: 'A-17', total: 4_200 } },
  createEndpoint: {
    url: 'https://example.com/webhooks',
    description: 'Order processing',
    metadata: { team: 'orders' },
    config: { timeoutSeconds: 10, headers: { 'x-tenant': 'acme' } },
  },
  createApplicationEndpoint: { url: 'https://example.com/webhooks', description: 'Order processing' },
  upsertApplicationEndpoint: { url: 'https://example.com/webhooks', description: 'Order processing' },
  upsertEndpoint: { url: 'https://example.com/webhooks', description: 'Order processing' },
  updateEndpoint: { isActive: false },
  rotateEndpointSecret: { gracePeriodSeconds: 3_600 },
  testEndpoint: { eventTypeId: EXAMPLE_IDS.eventType, payload: { orderId: 'A-17', total: 4_200 } },
  subscribeEndpoint: { eventTypeIds: [EXAMPLE_IDS.eventType], filter: { 'data.amount': { gte: 100 } } },
  updateSubscription: { filter: { 'data.amount': { gte: 100 }, 'data.currency': ['EUR', 'USD'] } },
  testFilter: { filter: { 'data.amount': { gte: 100 } }, payload: { data: { amount: 120 } } },
  testTransformation: {
    language: 'javascript',
    code: 'function transform(event) {\n  return { data: { text: event.data.orderId } };\n}',
    payload: { orderId: 'A-17' },
  },
  recoverEndpoint: { since: '2026-11-21T00:00:00Z', mode: 'failed', statusClass: ['5xx', 'none'] },
  retryDeliveries: { filter: { eventTypes: ['order.created'], statuses: ['dead_letter'] } },
  cancelDeliveries: { filter: { endpointId: EXAMPLE_IDS.endpoint } },
  startErasure: { applicationId: EXAMPLE_IDS.application, eventTypes: ['order.created'] },
  createApiKey: { name: 'Order service' },
  createPullKey: { name: 'Warehouse' },
  createAgentKey: { name: 'Order assistant', applicationId: EXAMPLE_IDS.application },
  setAgentSettings: { enabled: true, callbackHosts: ['*.agent.example'], maxTtlSeconds: 3_600 },
  leaseMessages: { max: 20, waitSeconds: 20, leaseSeconds: 60 },
  ackMessages: { messages: [{ ...LEASE, responseBody: 'stored' }] },
  nackMessages: { messages: [{ ...LEASE, delaySeconds: 60, reason: 'The warehouse is closed' }] },
  extendMessages: { messages: [{ ...LEASE, leaseSeconds: 300 }] },
  rotateApiKey: { gracePeriodSeconds: 3_600 },
  createManagementToken: { name: 'Deployment', scopes: ['read', 'write'] },
  updateManagementToken: { isDisabled: true },
  createAlertRule: {
    name: 'On call',
    channel: 'slack',
    target: 'https://hooks.slack.com/services/T0/B0/x',
    events: ['posthorn.endpoint.failing', 'posthorn.endpoint.disabled'],
  },
  updateAlertRule: { quietMinutes: 15 },
  startOidc: { returnTo: '/' },
  startOidcConnection: { returnTo: '/', currentPassword: 'correct horse battery staple' },
  removeOidcConnection: { currentPassword: 'correct horse battery staple' },
  finishOidc: { query: '?code=the-code&state=the-state' },
  finishSignInLink: { token: 'the token of the link' },
  startDeviceLogin: { name: 'ada-laptop' },
  receiveDeviceSession: { deviceCode: 'the device code of the beginning' },
  verifyDeviceCode: { userCode: 'BCDF-GHJK' },
  approveDeviceLogin: { userCode: 'BCDF-GHJK' },
  refuseDeviceLogin: { userCode: 'BCDF-GHJK' },
  verifyAlertTarget: { token: 'the token of the mail' },
  stopAlerts: { token: 'the token of the mail' },
  createPortalSession: { expiresInSeconds: 3_600, theme: { mode: 'dark', primaryColor: '#1a7f5a' } },
  addMember: { email: 'ada@example.com', name: 'Ada', role: 'member' },
  updateMember: { role: 'viewer' },
  loginUser: { email: 'ada@example.com', password: 'correct horse battery staple' },
  finishLogin: { challenge: 'the challenge of the login', code: '123456' },
  startAuthenticator: { currentPassword: 'correct horse battery staple' },
  confirmAuthenticator: { code: '123456' },
  removeAuthenticator: { currentPassword: 'correct horse battery staple' },
  startPasskeyLogin: { challenge: 'the challenge of the login' },
  startPasskey: { currentPassword: 'correct horse battery staple' },
  addPasskey: {
    name: 'Laptop',
    passkey: {
      id: 'Y3JlZGVudGlhbA',
      rawId: 'Y3JlZGVudGlhbA',
      type: 'public-key',
      clientExtensionResults: {},
      response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0', attestationObject: 'o2NmbXRkbm9uZQ' },
    },
  },
  removePasskey: { currentPassword: 'correct horse battery staple' },
  renewRecoveryCodes: { currentPassword: 'correct horse battery staple' },
  sendPasswordReset: { email: 'ada@example.com' },
  changePassword: { currentPassword: 'correct horse battery staple', newPassword: 'a better horse battery staple' },
  setPassword: { token: 'the token that adding the member gave', password: 'correct horse battery staple' },
  createWorkspace: { name: 'Acme', slug: 'acme' },
};
