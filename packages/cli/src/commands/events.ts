import { randomUUID } from 'node:crypto';
import type { Event } from '@posthorn/client';
import { given, type Row, readInputBytes, required, text, type Values } from '../command.ts';
import { type Context, createClient, namedEnvironment } from '../context.ts';
import { Usage } from '../failure.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { foundItems, getRow, listRow, SEARCH_OPTION } from '../rows.ts';
import { printChanges, TAIL_OPTIONS } from '../tail.ts';

const COLUMNS: Columns<Event> = {
  id: (event) => event.id,
  type: (event) => event.eventTypeName,
  status: (event) => event.status,
  deliveries: ({ deliveries }) =>
    Object.entries(deliveries)
      .filter(([, count]) => count > 0)
      .map(([status, count]) => `${count} ${status}`)
      .join(', ') || '–',
  created: (event) => event.createdAt,
};

export const events: readonly Row[] = [
  {
    usage: 'send <type> [body]',
    summary: 'Send an event; the body is JSON, @file or - for stdin, and {} where none is given',
    options: {
      '--idempotency-key <key>': 'accept the same event once within 24 hours',
      '--application <id>': "required: whose event it is (an id, ext: and your own id, or '*' for all customers)",
      '--ordering-key <key>': 'at fifo endpoints, the events of one key arrive one after the other',
      '--deliver-at <time>': 'not before this time',
      '--content-type <type>': 'send the body as it is (needs an API key)',
    },
    examples: [
      `posthorn events send order.placed '{"id":"order_1002"}' --application ext:acme`,
      "posthorn events send order.placed @order.json --application '*' --idempotency-key order-1002",
    ],
    run: sendEvent,
  },
  listRow({
    summary: 'List events, newest first',
    options: {
      '--type <name>': 'events of this type',
      '--application <id>': 'events of this customer',
      '--status <status>': 'scheduled, matching, matched, unmatched or cancelled',
      '--idempotency-key <key>': 'events with this key',
      ...SEARCH_OPTION,
      '--since <time>': 'from this time, or so long ago: 2h',
      '--until <time>': 'before this time',
    },
    examples: [
      'posthorn events list --type order.placed --since 24h',
      'posthorn events list --search order_id:order_1002',
    ],
    columns: COLUMNS,
    items: async ({ client, environmentId }, values, page) => {
      const filters = {
        environmentId: await environmentId(),
        applicationId: text(values, 'application'),
        eventType: text(values, 'type'),
        status: text(values, 'status') as Event['status'] as never,
        idempotencyKey: text(values, 'idempotencyKey'),
        from: moment(values, 'since'),
        to: moment(values, 'until'),
      };
      const search = text(values, 'search');
      if (search === undefined) return client().events.list({ ...page, ...filters });
      const body = { ...given(filters), ...given({ limit: page.limit }), search: [search] };
      return foundItems(
        (cursor) => client().events.search({ ...body, ...given({ cursor }) }, { signal: page.signal }),
        ({ events: found }) => found,
      );
    },
  }),
  getRow({
    summary: 'Show an event',
    options: { '--payload': 'with its payload' },
    examples: ['posthorn events get "$EVENT_ID" --payload'],
    read: ({ client, signal }, id, { payload }) =>
      client().events.get(id, { include: payload ? 'payload' : undefined, signal }),
  }),
  {
    usage: 'trace <id>',
    summary: 'Show which endpoints got an event, and why the others did not',
    options: { '--decision <decision>': 'matched, skipped or waiting' },
    examples: ['posthorn events trace "$EVENT_ID"'],
    run: traceEvent,
  },
  {
    usage: 'cancel <id>',
    summary: 'Cancel an event that is scheduled',
    examples: ['posthorn events cancel "$SCHEDULED_EVENT_ID"'],
    async run({ client, output, signal }, call) {
      await output.item(await client().events.cancel(required(call, 0), { signal }));
    },
  },
  {
    usage: 'tail',
    summary: 'Show events as they are accepted, until Ctrl-C',
    options: TAIL_OPTIONS,
    examples: ['posthorn events tail --count 1', 'posthorn events tail'],
    run: (context, { values }) =>
      printChanges(context, values, 'event', {
        at: (event) => event.createdAt,
        id: (event) => event.id,
        type: (event) => event.eventTypeName,
        application: (event) => event.applicationId,
      }),
  },
];

async function sendEvent(context: Context, call: Parameters<Row['run']>[1]): Promise<void> {
  const { client, output, signal } = context;
  const { values } = call;
  const type = required(call, 0);
  const apiKey = apiKeyOf(context);
  const input = call.args[1] ?? '{}';
  const options = {
    idempotencyKey: text(values, 'idempotencyKey'),
    application: applicationOf(values),
    orderingKey: text(values, 'orderingKey'),
    deliverAt: text(values, 'deliverAt'),
    signal,
  };
  const contentType = text(values, 'contentType');
  const body = await readInputBytes(context, input);
  if (contentType !== undefined) {
    if (apiKey === undefined) {
      const own =
        'which has an environment of its own: leave out --environment and --workspace, their variables, and the environment of the profile';
      throw new Usage(`--content-type needs an API key (POSTHORN_API_KEY), ${own}`);
    }
    return output.item(await client().events.send(type, body, { ...options, contentType }));
  }
  requireJson(body);
  if (apiKey === undefined) return output.item(await sendByToken(context, type, body, values));
  await output.item(await client().events.send(type, body, { ...options, contentType: 'application/json' }));
}

/**
 * Throws unless the bytes are JSON. The parsed value is not used: the bytes are sent unchanged. The decoder leaves out a
 * byte order mark, which JSON.parse would refuse.
 */
function requireJson(bytes: Uint8Array): void {
  try {
    JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new Usage(`The body is not JSON: ${(error as Error).message}`);
  }
}

/** `--application` is required, as in the libraries: if you forgot the customer, every customer would get the event. */
function applicationOf(values: Values): string {
  const application = text(values, 'application');
  if (application !== undefined) return application;
  throw new Usage(
    "--application is required: the id of a customer, ext: and your own id of it, or '*' for all customers",
  );
}

/** Undefined where an environment or a workspace is named: a key has its own, and would send the event there. */
function apiKeyOf(context: Context): string | undefined {
  const isNamed = Boolean(namedEnvironment(context) || context.options.workspace);
  return isNamed ? undefined : context.place.apiKey;
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/**
 * Sends with a management token of the scope `write`, without an API key. The body goes into the JSON request as given,
 * without a byte order mark, which may only be at the start of a document.
 */
async function sendByToken({ environmentId, place, signal }: Context, type: string, body: Uint8Array, values: Values) {
  const mark = randomUUID();
  const hasMark = BYTE_ORDER_MARK.equals(body.subarray(0, BYTE_ORDER_MARK.length));
  const data = hasMark ? body.subarray(BYTE_ORDER_MARK.length) : body;
  const withBody: typeof fetch = (url, init) => {
    const [before, after] = String(init?.body).split(`"${mark}"`);
    if (after === undefined) return fetch(url, init);
    return fetch(url, { ...init, body: Buffer.concat([Buffer.from(`${before}`), data, Buffer.from(after)]) });
  };
  return createClient(place, { fetch: withBody }).events.create(
    {
      ...given({
        environmentId: await environmentId(),
        applicationId: applicationOf(values),
        orderingKey: text(values, 'orderingKey'),
        deliverAt: text(values, 'deliverAt'),
      }),
      eventType: type,
      data: mark,
    },
    { idempotencyKey: text(values, 'idempotencyKey'), signal },
  );
}

async function traceEvent(context: Context, call: Parameters<Row['run']>[1]): Promise<void> {
  const { client, options, output, signal } = context;
  const decision = text(call.values, 'decision') as 'matched' | undefined;
  const trace = await client().events.trace(required(call, 0), { decision, limit: 100, signal });
  if (output.format !== 'table' && !options.quiet) return output.item(trace);
  output.note(
    `${trace.matched} matched, ${trace.skipped} skipped${trace.nextCursor === null ? '' : '; the first 100:'}`,
  );
  await output.list(trace.endpoints, {
    endpoint: (one) => one.endpointId,
    decision: (one) => one.decision,
    delivery: (one) => one.delivery?.status,
    why: (one) => one.detail,
  });
}
