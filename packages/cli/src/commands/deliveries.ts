import type { Attempt, Delivery } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import {
  type Call,
  flagOf,
  given,
  LIST_OPTIONS,
  pageSize,
  printList,
  type Row,
  required,
  text,
  texts,
  type Values,
} from '../command.ts';
import type { Context } from '../context.ts';
import { Usage } from '../failure.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { foundItems, getRow, listRow, SEARCH_OPTION } from '../rows.ts';
import { printChanges, TAIL_OPTIONS } from '../tail.ts';

const COLUMNS: Columns<Delivery> = {
  id: (delivery) => delivery.id,
  type: (delivery) => delivery.eventTypeName,
  endpoint: (delivery) => delivery.endpointId,
  status: (delivery) => delivery.failureReason ?? delivery.status,
  attempts: (delivery) => delivery.totalAttempts,
  answer: (delivery) => delivery.lastResponseStatus,
  updated: (delivery) => delivery.updatedAt,
};

const ATTEMPT_COLUMNS: Columns<Attempt> = {
  number: (attempt) => attempt.number,
  started: (attempt) => attempt.startedAt,
  outcome: (attempt) => attempt.outcome,
  answer: (attempt) => attempt.responseStatus,
  error: (attempt) => attempt.errorCode,
  ms: (attempt) => attempt.durationMs,
  trigger: (attempt) => attempt.trigger,
};

const FILTER_OPTIONS = {
  '--status <status>': 'pending, delivering, delivered, scheduled_retry, failed or dead_letter',
  '--endpoint <id>': 'deliveries of this endpoint',
  '--application <id>': 'deliveries of this customer',
  '--type <name>': 'deliveries of events of this type',
  '--since <time>': 'of events from this time, or so long ago: 2h',
  '--until <time>': 'of events before this time',
};

const BULK_OPTIONS = { ...FILTER_OPTIONS, '--dry-run': 'only count', ...YES };

export const deliveries: readonly Row[] = [
  listRow({
    summary: 'List deliveries, newest first',
    options: { ...FILTER_OPTIONS, ...SEARCH_OPTION },
    examples: [
      'posthorn deliveries list --status dead_letter',
      'posthorn deliveries list --search order_id:order_1002',
    ],
    columns: COLUMNS,
    items: async ({ client, environmentId }, values, page) => {
      const filters = {
        environmentId: await environmentId(),
        endpointId: text(values, 'endpoint'),
        applicationId: text(values, 'application'),
        eventType: text(values, 'type'),
        status: text(values, 'status') as Delivery['status'] | undefined,
        from: moment(values, 'since'),
        to: moment(values, 'until'),
      };
      const search = text(values, 'search');
      if (search === undefined) return client().deliveries.list({ ...page, ...filters });
      const body = { ...given(filters), ...given({ limit: page.limit }), search: [search] };
      return foundItems(
        (cursor) => client().deliveries.search({ ...body, ...given({ cursor }) }, { signal: page.signal }),
        ({ deliveries: found }) => found,
      );
    },
  }),
  getRow({
    summary: 'Show a delivery with its attempts',
    options: { '--payload': 'with its payload' },
    examples: ['posthorn deliveries get "$DELIVERY_ID"'],
    read({ client, signal }, id, { payload }) {
      const include: ('attempts' | 'payload')[] = payload ? ['attempts', 'payload'] : ['attempts'];
      return client().deliveries.get(id, { include, signal });
    },
  }),
  {
    usage: 'attempts <id>',
    summary: 'List the attempts of a delivery',
    options: LIST_OPTIONS,
    examples: ['posthorn deliveries attempts "$DELIVERY_ID"'],
    async run(context, call) {
      const { client, signal } = context;
      const items = client().deliveries.listAttempts(required(call, 0), { ...pageSize(call.values), signal });
      await printList(context, { items, columns: ATTEMPT_COLUMNS, values: call.values });
    },
  },
  {
    usage: 'retry [id]',
    summary: 'Send a delivery again, or all that filters select',
    options: BULK_OPTIONS,
    examples: [
      'posthorn deliveries retry --status dead_letter --since 24h --dry-run',
      'posthorn deliveries retry dlv_01jczhk8m3fd8tqv5x0w2b9n4e',
    ],
    run: (context, call) => changeDeliveries(context, call, 'retry'),
  },
  {
    usage: 'cancel [id]',
    summary: 'Cancel a delivery, or all that filters select',
    options: BULK_OPTIONS,
    examples: ['posthorn deliveries cancel --endpoint "$ENDPOINT_ID" --status scheduled_retry --dry-run'],
    run: (context, call) => changeDeliveries(context, call, 'cancel'),
  },
  {
    usage: 'tail',
    summary: 'Show deliveries as they change, until Ctrl-C',
    options: { ...TAIL_OPTIONS, '--endpoint <id>': 'deliveries of this endpoint' },
    examples: ['posthorn deliveries tail --count 1', 'posthorn deliveries tail'],
    run: (context, { values }) =>
      printChanges(
        context,
        values,
        'delivery',
        { ...COLUMNS, id: ({ id }) => id },
        { endpointId: text(values, 'endpoint') },
      ),
  },
];

async function changeDeliveries(context: Context, call: Call, change: 'retry' | 'cancel'): Promise<void> {
  const { client, output, signal } = context;
  const { values } = call;
  const [id] = call.args;
  if (id !== undefined) {
    const [other] = Object.keys(values).filter((name) => name !== 'yes');
    if (other !== undefined) throw new Usage(`Name a delivery or say which, not both: ${id} and ${flagOf(other)}`);
    return output.item(await client().deliveries[change](id, { signal }));
  }
  const filter = await readFilter(context, values);
  const start = change === 'retry' ? 'retryDeliveries' : 'cancelDeliveries';
  const counted = await client().operations[start]({ filter, dryRun: true }, { signal });
  if (values.dryRun) return output.item(counted);
  const verb = change === 'retry' ? 'Send' : 'Cancel';
  await approve(context, values, `${verb} ${counted.matched} deliveries${change === 'retry' ? ' again' : ''}?`);
  await output.item(await client().operations[start]({ filter }, { signal }));
}

async function readFilter({ environmentId }: Context, values: Values) {
  const filter = given({
    endpointId: text(values, 'endpoint'),
    applicationId: text(values, 'application'),
    eventTypes: texts(values, 'type'),
    statuses: texts(values, 'status'),
    from: moment(values, 'since'),
    to: moment(values, 'until'),
  });
  if (Object.keys(filter).length === 0)
    throw new Usage('Name a delivery, or say which: --status, --endpoint, --since …');
  return { ...filter, ...given({ environmentId: await environmentId() }) };
}
