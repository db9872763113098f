/** What the operations of a tag are about. A tag is the resource, behind the interface's name where there are twins. */
export function describeTag(tag: string): string {
  const [first = '', resource] = tag.split(': ');
  if (resource === undefined) return RESOURCES[first] ?? '';
  return `${RESOURCES[resource] ?? ''} ${INTERFACES[first] ?? ''}`;
}

const INTERFACES: Record<string, string> = {
  Dashboard: 'For a logged-in person.',
  Portal: 'For a customer: one application in one environment.',
};

/** A test names each tag that has no entry here. */
const RESOURCES: Record<string, string> = {
  Workspace: 'The tenant: every other resource belongs to one.',
  Workspaces: 'The workspaces of the logged-in person.',
  Environments: 'They separate API keys, endpoints and the visibility of event types.',
  'API keys': "Producers' credentials; each is bound to one environment.",
  'Event types': 'The categories of events, their schemas, and in which environments each is published and checked.',
  Applications: 'End customers, each with its own endpoints.',
  Endpoints: 'The addresses that get signed deliveries.',
  Subscriptions: 'Which endpoint gets which event types.',
  Deliveries: 'Events on their way to endpoints, with every attempt.',
  Catalogue: 'What receivers may get: the published event types with schema and example.',
  Events: 'What producers sent, and which endpoints got it or why not.',
  Sources: 'Topics of Kafka whose records become events.',
  Operations: 'Recoveries and bulk changes: work on many deliveries, which goes on after the answer.',
  Usage: 'What each customer used, for billing.',
  Statistics: 'Counts, durations and delays, and changes as they happen.',
  'Management tokens': 'Credentials of the management interface.',
  Members: 'The people of the workspace and their roles.',
  'Alert rules': 'Whom to tell of operational events, by mail, in a chat or by PagerDuty.',
  'Audit logs': 'Every change, its actor and its origin.',
  'Portal sessions': 'Access for a customer to the portal.',
  Portal: "The customer's own session and what it shows.",
  Account: 'Login, passwords and sessions.',
  Ingestion: 'Accepts events from producers.',
  Agents: 'Subscriptions of agents over the Model Context Protocol, and their keys.',
  'Pull keys': 'Credentials of the consumers that fetch the deliveries of one endpoint.',
  Pull: 'Consumers fetch the deliveries of an endpoint, and say what became of them.',
  Webhooks: 'The requests that Posthorn sends to endpoints.',
  Health: 'For load balancers.',
};
