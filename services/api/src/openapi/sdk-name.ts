/** The name of an operation in the client libraries: `{resource: "endpoints", method: "list"}` is `client.endpoints.list`. */
export type SdkName = { resource: string; method: string };

/**
 * An operation's name by its row and its tag: the tag is the resource, and the operationId without the resource is the
 * method. `listEndpoints` of `Endpoints` is `endpoints.list`; at the dashboard it is `dashboardEndpoints.list`.
 */
export function sdkName(row: string, tag: string): SdkName {
  const [first = '', second] = tag.split(': ');
  const words = wordsOf(second ?? first);
  const [resource = '', method = ''] = NAMES[row]?.split('.') ?? [camelCase(words), withoutResource(row, words)];
  return { resource: second === undefined ? resource : camelCase([first, resource]), method };
}

/** Operations whose names the rule would not give. A test checks that no name is given twice. */
const NAMES: Record<string, string> = {
  ingestEvent: 'events.send',
  ingestDirectEvent: 'events.sendDirect',
  ingestBatch: 'events.sendBatch',
  subscribeEndpoint: 'endpoints.subscribe',
  unsubscribeEndpoint: 'endpoints.unsubscribe',
  listEndpointDeliveries: 'endpoints.listDeliveries',
  getEndpointDelivery: 'endpoints.getDelivery',
  leaseMessages: 'pull.lease',
  ackMessages: 'pull.ack',
  nackMessages: 'pull.nack',
  extendMessages: 'pull.extend',
  deleteEventPayload: 'events.deletePayload',
  startErasure: 'erasures.start',
  precheckEventType: 'eventTypes.precheck',
  listCatalog: 'catalog.list',
  getCatalogEventType: 'catalog.getEventType',
  getCatalogDocument: 'catalog.getDocument',
  deleteManagementTokens: 'managementTokens.deleteByCreator',
  getOwnManagementToken: 'me.get',
  getStats: 'stats.get',
  streamChanges: 'stats.streamChanges',
};

function wordsOf(tag: string): string[] {
  return tag.toLowerCase().split(' ');
}

function camelCase(words: readonly string[]): string {
  return words
    .map((word, index) => (index === 0 ? word[0]?.toLowerCase() : word[0]?.toUpperCase()) + word.slice(1))
    .join('');
}

function withoutResource(row: string, words: readonly string[]): string {
  const many = words.map((word) => (word[0]?.toUpperCase() ?? '') + word.slice(1)).join('');
  const one = many.endsWith('ies') ? `${many.slice(0, -3)}y` : many.endsWith('s') ? many.slice(0, -1) : many;
  return row.includes(many) ? row.replace(many, '') : row.replace(one, '');
}
