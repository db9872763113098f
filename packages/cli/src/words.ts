import type { Word } from './command.ts';

/** Every word that can follow `posthorn`. The file of a word is loaded when the word is used. */
export const words: readonly Word[] = [
  {
    name: 'login',
    summary: 'Log in, and keep the credential in a profile',
    load: async () => (await import('./commands/login.ts')).login,
  },
  {
    name: 'logout',
    summary: 'Remove the credential from the profile',
    load: async () => (await import('./commands/login.ts')).logout,
  },
  {
    name: 'whoami',
    summary: 'Show the credential, its workspace and its rights',
    load: async () => (await import('./commands/login.ts')).whoami,
  },
  {
    name: 'profile',
    summary: 'Choose between several installations and workspaces',
    load: async () => (await import('./commands/profile.ts')).profile,
  },
  {
    name: 'events',
    summary: 'Send events, and find out what became of them',
    load: async () => (await import('./commands/events.ts')).events,
  },
  {
    name: 'deliveries',
    summary: 'See, retry and cancel deliveries',
    load: async () => (await import('./commands/deliveries.ts')).deliveries,
  },
  {
    name: 'endpoints',
    summary: 'Manage, test and examine endpoints, and recover what they missed',
    load: async () => (await import('./commands/endpoints.ts')).endpoints,
  },
  {
    name: 'subscriptions',
    summary: 'Choose the event types of an endpoint',
    load: async () => (await import('./commands/subscriptions.ts')).subscriptions,
  },
  {
    name: 'event-types',
    summary: 'Manage event types, their schemas and where they are published',
    load: async () => (await import('./commands/event-types.ts')).eventTypes,
  },
  {
    name: 'applications',
    summary: 'Manage your customers',
    load: async () => (await import('./commands/applications.ts')).applications,
  },
  {
    name: 'environments',
    summary: 'Manage the environments of the workspace',
    load: async () => (await import('./commands/environments.ts')).environments,
  },
  {
    name: 'api-keys',
    summary: 'Manage the keys of producers',
    load: async () => (await import('./commands/api-keys.ts')).apiKeys,
  },
  {
    name: 'pull-keys',
    summary: 'Manage the keys of consumers that fetch webhooks',
    load: async () => (await import('./commands/pull-keys.ts')).pullKeys,
  },
  {
    name: 'agents',
    summary: 'Show and end what agents have subscribed to',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  {
    name: 'agent-keys',
    summary: 'Manage the keys with which agents subscribe',
    load: async () => (await import('./commands/agents.ts')).agentKeys,
  },
  {
    name: 'sources',
    summary: 'Read topics of Kafka, and see how it goes',
    load: async () => (await import('./commands/sources.ts')).sources,
  },
  {
    name: 'alert-rules',
    summary: 'Manage who is told about trouble',
    load: async () => (await import('./commands/alert-rules.ts')).alertRules,
  },
  {
    name: 'audit',
    summary: 'Show who changed what',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  {
    name: 'portal',
    summary: 'Give a customer the portal',
    load: async () => (await import('./commands/portal.ts')).portal,
  },
  {
    name: 'operations',
    summary: 'Follow recoveries and bulk changes',
    load: async () => (await import('./commands/operations.ts')).operations,
  },
  {
    name: 'stats',
    summary: 'Show how deliveries are doing',
    load: async () => (await import('./commands/stats.ts')).stats,
  },
  {
    name: 'usage',
    summary: 'Show what each customer used, for billing',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  {
    name: 'diff',
    summary: 'Compare two environments',
    load: async () => (await import('./commands/promotion.ts')).diff,
  },
  {
    name: 'promote',
    summary: 'Make an environment like another',
    load: async () => (await import('./commands/promotion.ts')).promote,
  },
  {
    name: 'import',
    summary: 'Move in from Svix, Convoy, Outpost or Hook0',
    load: async () => (await import('./commands/import.ts')).importFrom,
  },
  {
    name: 'plan',
    summary: 'Show what a file would change in the workspace',
    load: async () => (await import('./commands/workspace-file.ts')).plan,
  },
  {
    name: 'apply',
    summary: 'Make the workspace like a file',
    load: async () => (await import('./commands/workspace-file.ts')).apply,
  },
  {
    name: 'export',
    summary: 'Write the workspace as a file for apply',
    load: async () => (await import('./commands/workspace-file.ts')).exportRows,
  },
  {
    name: 'schema',
    summary: 'Print the JSON Schema of such a file',
    load: async () => (await import('./commands/workspace-file.ts')).schema,
  },
  {
    name: 'types',
    summary: 'Write the types of the events, for programs that receive them',
    load: async () => (await import('./commands/payload-types.ts')).types,
  },
  {
    name: 'listen',
    summary: 'Receive webhooks on this machine, also what was missed while it was not connected',
    load: async () => (await import('./commands/listen.ts')).listen,
  },
  {
    name: 'check',
    summary: 'Test a receiver of webhooks, without an account',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'mcp',
    summary: 'Give an agent tools that answer questions about deliveries',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'open',
    summary: 'Open the dashboard, or its page of an id',
    load: async () => (await import('./commands/open.ts')).open,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in your shell',
    load: async () => (await import('./commands/completion.ts')).completionOf(words),
  },
];
