/** Describes the operations of a tag: a resource, with the interface's name before it if several interfaces have it. */
export function describeTag(tag: string): string {
  const [first = '', resource] = tag.split(': ');
  if (resource === undefined) return RESOURCES[first] ?? '';
  return `${RESOURCES[resource] ?? ''} ${INTERFACES[first] ?? ''}`;
}

const INTERFACES: Record<string, string> = {
  Dashboard: 'For logged-in users.',
  Portal: 'For customers, within one application in one environment.',
};

/** A test names each tag that has no entry here. */
const RESOURCES: Record<string, string> = {
  Workspace: 'A workspace contains every other resource.',
  Workspaces: 'The workspaces of the logged-in user.',
  Environments: 'Separate sets of API keys and endpoints, each with its own visibility of event types.',
  'API keys': 'The credentials of producers. Each is bound to one environment.',
  'Event types':
    'Categories of events, with their schemas and their publication and schema checks in each environment.',
  Applications: 'Your customers. Each has its own endpoints.',
  Endpoints: 'The destinations that receive signed deliveries.',
  Subscriptions: 'The event types that each endpoint receives.',
  Deliveries: 'The deliveries of events to endpoints, with every attempt.',
  Catalogue: 'The published event types that receivers can subscribe to, with schema and example.',
  Events: 'The events that producers sent, and why each endpoint did or did not receive them.',
  Sources: 'Kafka topics whose records become events.',
  Operations: 'Recoveries and bulk changes of many deliveries, which run in the background.',
  Usage: 'The usage of each customer, for billing.',
  Statistics: 'Counts, durations and delays, and a live stream of changes.',
  'Management tokens': 'The credentials of the management interface.',
  Members: 'The members of the workspace and their roles.',
  'Alert rules': 'Notifications about operational events by email, in a chat or through PagerDuty.',
  'Audit logs': 'A record of every change, with its actor and origin.',
  'Portal sessions': 'Sessions that give a customer access to the portal.',
  Portal: "The customer's own session and the resources that it shows.",
  Account: 'Logins, passwords and sessions.',
  Ingestion: 'Accepts events from producers.',
  Agents: 'Agent subscriptions over the Model Context Protocol, and agent keys.',
  'Pull keys': 'The credentials with which consumers fetch the deliveries of one endpoint.',
  Pull: 'Consumers fetch the deliveries of an endpoint, and report the results.',
  Webhooks: 'The requests that Posthorn sends to endpoints.',
  Health: 'Health checks for load balancers.',
};
