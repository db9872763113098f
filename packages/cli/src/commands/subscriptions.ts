import type { Subscription } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import { given, LIST_OPTIONS, pageSize, printList, type Row, readObject, required } from '../command.ts';
import type { Columns } from '../output.ts';
import { requireEventTypeId, requireEventTypeIds } from './event-types.ts';

const COLUMNS: Columns<Subscription> = {
  type: (subscription) => subscription.eventTypeName,
  filter: (subscription) => subscription.filter,
  pattern: (subscription) => subscription.pattern,
  created: (subscription) => subscription.createdAt,
};

const FILTER = { '--filter <json>': 'only events whose payload fits, as JSON, @file or -' };

export const subscriptions: readonly Row[] = [
  {
    usage: 'list <endpoint>',
    summary: 'List the event types of an endpoint',
    options: LIST_OPTIONS,
    examples: ['posthorn subscriptions list "$ENDPOINT_ID"'],
    async run(context, call) {
      const { client, environmentId, signal } = context;
      const options = { ...pageSize(call.values), environmentId: await environmentId(), signal };
      const items = client().subscriptions.list(required(call, 0), options);
      await printList(context, { items, columns: COLUMNS, values: call.values });
    },
  },
  {
    usage: 'add <endpoint> <types...>',
    summary: 'Subscribe an endpoint to event types, by name',
    options: FILTER,
    examples: ['posthorn subscriptions add "$ENDPOINT_ID" order.shipped'],
    async run(context, call) {
      const { client, environmentId, output, signal } = context;
      const [endpoint, ...names] = call.args as [string, ...string[]];
      const eventTypeIds = await requireEventTypeIds(client(), names, signal);
      const filter = await readObject(context, call.values, 'filter');
      const options = { environmentId: await environmentId(), signal };
      await output.item(await client().endpoints.subscribe(endpoint, { eventTypeIds, ...given({ filter }) }, options));
    },
  },
  {
    usage: 'update <endpoint> <type>',
    summary: 'Change the filter of a subscription; without --filter, remove it',
    options: FILTER,
    examples: [`posthorn subscriptions update "$ENDPOINT_ID" order.shipped --filter '{"total":{"gte":100}}'`],
    async run(context, call) {
      const { client, environmentId, output, signal } = context;
      const endpoint = required(call, 0);
      const id = await requireEventTypeId(client(), required(call, 1), signal);
      const filter = (await readObject(context, call.values, 'filter')) ?? null;
      const options = { environmentId: await environmentId(), signal };
      await output.item(await client().subscriptions.update(endpoint, id, { filter }, options));
    },
  },
  {
    usage: 'remove <endpoint> <type>',
    summary: 'Unsubscribe an endpoint from an event type, by name',
    options: YES,
    examples: ['posthorn subscriptions remove "$ENDPOINT_ID" order.shipped --yes'],
    async run(context, call) {
      const { client, environmentId, output, signal } = context;
      const endpoint = required(call, 0);
      const name = required(call, 1);
      const id = await requireEventTypeId(client(), name, signal);
      await approve(context, call.values, `Unsubscribe ${endpoint} from ${name}?`);
      await client().endpoints.unsubscribe(endpoint, id, { environmentId: await environmentId(), signal });
      output.note(`${endpoint} no longer gets ${name}`);
    },
  },
];
