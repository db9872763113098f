import type { AgentKey, AgentSubscription } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import { given, type Row, required, text } from '../command.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const SUBSCRIPTIONS: Columns<AgentSubscription> = {
  id: (one) => one.id,
  event: (one) => one.eventType,
  agent: (one) => one.principal.name,
  callback: (one) => new URL(one.url).host,
  status: (one) => one.endReason ?? one.status,
  expires: (one) => one.expiresAt,
  'last delivery': (one) => one.lastDeliveryAt,
};

const KEYS: Columns<AgentKey> = {
  id: (key) => key.id,
  name: (key) => key.name,
  application: (key) => key.applicationId,
  key: (key) => key.keyPreview,
  'last used': (key) => key.lastUsedAt,
  ends: (key) => key.expiresAt,
};

const OF_APPLICATION = { '--application <id>': 'only of this customer' };

export const agents: readonly Row[] = [
  listRow({
    summary: 'List what agents have subscribed to, newest first',
    options: OF_APPLICATION,
    examples: ['posthorn agents list'],
    columns: SUBSCRIPTIONS,
    items: async ({ client, environmentId }, values, page) =>
      client().agents.listSubscriptions({
        ...page,
        ...given({ environmentId: await environmentId(), applicationId: text(values, 'application') }),
      }),
  }),
  getRow({
    summary: 'Show a subscription of an agent',
    examples: ['posthorn agents get "$AGENT_SUBSCRIPTION_ID"'],
    read: ({ client, signal }, id) => client().agents.getSubscription(id, { signal }),
  }),
  {
    usage: 'end <id>',
    summary: 'End a subscription of an agent at once',
    options: YES,
    examples: ['posthorn agents end "$AGENT_SUBSCRIPTION_ID" --yes'],
    async run(context, call) {
      const { client, output, signal } = context;
      const id = required(call, 0);
      await approve(context, call.values, `End the subscription ${id}?`);
      await client().agents.endSubscription(id, { signal });
      output.note(`Ended ${id}. Delete the key of the agent if it must not subscribe again`);
    },
  },
];

export const agentKeys: readonly Row[] = [
  listRow({
    summary: 'List the keys with which agents subscribe',
    options: OF_APPLICATION,
    examples: ['posthorn agent-keys list'],
    columns: KEYS,
    items: async ({ client, environmentId }, values, page) =>
      client().agents.listKeys({
        ...page,
        ...given({ environmentId: await environmentId(), applicationId: text(values, 'application') }),
      }),
  }),
  {
    usage: 'create <name>',
    summary: 'Create a key for an agent; it is shown once',
    options: { '--application <id>': 'for events of this customer' },
    examples: ['posthorn agent-keys create "Order assistant" --application ext:acme'],
    async run({ client, environmentId, output, signal }, call) {
      const body = {
        name: required(call, 0),
        ...given({ environmentId: await environmentId(), applicationId: text(call.values, 'application') }),
      };
      await output.item(await client().agents.createKey(body, { signal }));
    },
  },
  deleteRow({
    summary: 'Delete the key of an agent, and end what was subscribed with it',
    examples: ['posthorn agent-keys delete "$AGENT_KEY_ID" --yes'],
    question: (id) => `Delete the agent key ${id}?`,
    remove: ({ client, signal }, id) => client().agents.deleteKey(id, { signal }),
  }),
];
