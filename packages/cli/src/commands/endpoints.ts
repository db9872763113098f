import type { CreateEndpointBody, EndpointRead, UpdateEndpointBody } from '@posthorn/client';
import { type Call, given, type Row, readJson, readObject, required, text, texts } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Usage } from '../failure.ts';
import { moment, seconds } from '../moment.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';
import { watchOperation } from '../watch.ts';

const COLUMNS: Columns<EndpointRead> = {
  id: (endpoint) => endpoint.id,
  target: (endpoint) => endpoint.target,
  active: (endpoint) => (endpoint.isActive ? 'yes' : `no (${endpoint.disabledReason})`),
  health: (endpoint) => endpoint.health,
  application: (endpoint) => endpoint.applicationId,
  description: (endpoint) => endpoint.description,
};

const FIELDS = {
  '--description <text>': 'for people',
  '--external-id <id>': 'your own name for it: ext:<id> is accepted wherever its id is',
  '--config <json>': 'how it is called, as JSON, @file or -',
  '--metadata <json>': 'your own data, as JSON, @file or -',
  '--data <json>': 'any other fields of the request, as JSON, @file or -',
};

export const endpoints: readonly Row[] = [
  listRow({
    summary: 'List endpoints',
    options: {
      '--application <id>': 'endpoints of this customer',
      '--active <yes|no>': 'only those that are active, or are not',
      '--stats': 'with the attempts of the last 24 hours',
    },
    examples: ['posthorn endpoints list', 'posthorn endpoints list --active no'],
    columns: COLUMNS,
    async items({ client, environmentId }, values, page) {
      const active = text(values, 'active');
      if (active !== undefined && !['yes', 'no'].includes(active)) throw new Usage('--active must be yes or no');
      return client().endpoints.list({
        ...page,
        environmentId: await environmentId(),
        applicationId: text(values, 'application'),
        isActive: active === undefined ? undefined : active === 'yes',
        include: values.stats ? 'stats' : undefined,
      });
    },
  }),
  getRow({
    summary: 'Show an endpoint',
    options: { '--stats': 'with the attempts of the last 24 hours' },
    examples: ['posthorn endpoints get "$ENDPOINT_ID"'],
    async read({ client, environmentId, signal }, id, { stats }) {
      const include = stats ? 'stats' : undefined;
      return client().endpoints.get(id, { include, environmentId: await environmentId(), signal });
    },
  }),
  {
    usage: 'create [url]',
    summary: 'Create an endpoint; the answer shows its signing secret',
    options: {
      ...FIELDS,
      '--event-types <names>': 'subscribe it to these types or patterns, with commas between them',
      '--application <id>': 'for this customer',
      '--type <type>': 'another kind of endpoint than webhook',
      '--inactive': 'deliver nothing until it is enabled',
    },
    examples: ['posthorn endpoints create https://shop.example.com/webhooks --event-types order.placed'],
    run: createEndpoint,
  },
  {
    usage: 'update <id>',
    summary: 'Change an endpoint; what is not named stays',
    options: { '--url <url>': 'another address', ...FIELDS },
    examples: ['posthorn endpoints update "$ENDPOINT_ID" --description "The shop"'],
    async run(context, call) {
      const body: UpdateEndpointBody = {
        ...given({ url: text(call.values, 'url') }),
        ...(await readFields(context, call)),
      };
      if (Object.keys(body).length === 0) throw new Usage('Name what to change, such as --url or --description');
      await updateEndpoint(context, required(call, 0), body);
    },
  },
  deleteRow({
    summary: 'Delete an endpoint; what waits for it is not delivered',
    examples: ['posthorn endpoints delete "$OTHER_ENDPOINT_ID" --yes'],
    question: (id) => `Delete the endpoint ${id}?`,
    remove: async ({ client, environmentId, signal }, id) =>
      client().endpoints.delete(id, { environmentId: await environmentId(), signal }),
  }),
  {
    usage: 'disable <id>',
    summary: 'Stop deliveries to an endpoint',
    examples: ['posthorn endpoints disable "$ENDPOINT_ID"'],
    run: (context, call) => updateEndpoint(context, required(call, 0), { isActive: false }),
  },
  {
    usage: 'enable <id>',
    summary: 'Let an endpoint get deliveries',
    examples: ['posthorn endpoints enable "$ENDPOINT_ID"'],
    run: (context, call) => updateEndpoint(context, required(call, 0), { isActive: true }),
  },
  {
    usage: 'test <id>',
    summary: 'Send a test event now, and show the attempt',
    options: {
      '--event-type <id>': 'an event of this type, by id',
      '--payload <json>': 'with this payload, as JSON, @file or -',
    },
    examples: ['posthorn endpoints test "$ENDPOINT_ID"'],
    run: testEndpoint,
  },
  {
    usage: 'doctor <id>',
    summary: 'Examine an endpoint: name, connection, certificate, answer, signature',
    examples: ['posthorn endpoints doctor "$ENDPOINT_ID"'],
    run: examineEndpoint,
  },
  {
    usage: 'rotate-secret <id>',
    summary: 'Make a new signing secret; the old one also signs until its grace period ends',
    options: {
      '--grace <time>': 'how long the old one still signs: 24h',
      '--secret <secret>': 'this secret (whsec_…)',
    },
    examples: ['posthorn endpoints rotate-secret "$ENDPOINT_ID" --grace 1h'],
    async run({ client, environmentId, output, signal }, call) {
      const gracePeriodSeconds = seconds(call.values, 'grace');
      const body = given({ gracePeriodSeconds, secret: text(call.values, 'secret') });
      const options = { environmentId: await environmentId(), signal };
      await output.item(await client().endpoints.rotateSecret(required(call, 0), body, options));
    },
  },
  {
    usage: 'recover <id>',
    summary: 'Deliver again what an endpoint did not get',
    options: {
      '--since <time>': 'events from this time, or so long ago: 2h (required)',
      '--until <time>': 'events before this time',
      '--mode <mode>': 'failed (unless given), missed or all',
      '--types <names>': 'only events of these types, with commas between them',
      '--dry-run': 'only count',
      '--watch': 'wait for the end',
    },
    examples: [
      'posthorn endpoints recover "$ENDPOINT_ID" --since 1h --dry-run',
      'posthorn endpoints recover "$ENDPOINT_ID" --since 1h --mode all --watch',
    ],
    run: recoverEndpoint,
  },
];

async function createEndpoint(context: Context, call: Call): Promise<void> {
  const { client, environmentId, output, signal } = context;
  const { values } = call;
  const body = {
    ...given({
      url: call.args[0],
      type: text(values, 'type'),
      environmentId: await environmentId(),
      eventTypes: texts(values, 'eventTypes'),
      isActive: values.inactive ? false : undefined,
    }),
    ...(await readFields(context, call)),
  } as CreateEndpointBody;
  const application = text(values, 'application');
  if (application === undefined) return output.item(await client().endpoints.create(body, { signal }));
  await output.item(await client().applications.createEndpoint(application, body, { signal }));
}

async function updateEndpoint(
  { client, environmentId, output, signal }: Context,
  id: string,
  body: UpdateEndpointBody,
): Promise<void> {
  await output.item(await client().endpoints.update(id, body, { environmentId: await environmentId(), signal }));
}

/** The fields as typed. The service checks them. */
async function readFields(context: Context, { values }: Call): Promise<UpdateEndpointBody> {
  const fields = {
    ...given({
      description: text(values, 'description'),
      externalId: text(values, 'externalId'),
      config: await readObject(context, values, 'config'),
      metadata: await readObject(context, values, 'metadata'),
    }),
    ...(await readObject(context, values, 'data')),
  };
  return fields as UpdateEndpointBody;
}

/** A test and an examination take up to a minute. */
const PROBE_TIMEOUT_MS = 90_000;

async function testEndpoint(context: Context, call: Call): Promise<number> {
  const { client, environmentId, output, signal } = context;
  const body = given({
    eventTypeId: text(call.values, 'eventType'),
    payload: await readJson(context, call.values, 'payload'),
  });
  const options = { environmentId: await environmentId(), timeoutMs: PROBE_TIMEOUT_MS, signal };
  const attempt = await client().endpoints.test(required(call, 0), body, options);
  await output.item(attempt);
  return attempt.outcome === 'success' ? EXIT.ok : EXIT.refused;
}

async function examineEndpoint(context: Context, call: Call): Promise<number> {
  const { client, environmentId, output, signal } = context;
  const options = { environmentId: await environmentId(), timeoutMs: PROBE_TIMEOUT_MS, signal };
  const report = await client().endpoints.diagnose(required(call, 0), options);
  if (output.format === 'table') {
    await output.list(report.checks, {
      check: (one) => one.name,
      outcome: (one) => one.outcome,
      detail: (one) => one.detail,
    });
    for (const { name, advice } of report.checks) if (advice !== null) output.note(`${name}: ${advice}`);
    output.note(`The endpoint is ${report.verdict}`);
  } else await output.item(report);
  return report.verdict === 'broken' ? EXIT.refused : EXIT.ok;
}

const MODES = ['failed', 'missed', 'all'] as const;

async function recoverEndpoint(context: Context, call: Call): Promise<number> {
  const { client, environmentId, output, signal } = context;
  const { values } = call;
  const since = moment(values, 'since');
  if (since === undefined) throw new Usage('--since is required');
  const mode = MODES.find((one) => one === (text(values, 'mode') ?? 'failed'));
  if (mode === undefined) throw new Usage(`--mode must be one of ${MODES.join(', ')}`);
  const body = { since, mode, ...given({ until: moment(values, 'until'), eventTypes: texts(values, 'types') }) };
  const options = { environmentId: await environmentId(), signal };
  const id = required(call, 0);
  if (values.dryRun) {
    await output.item(await client().endpoints.recover(id, { ...body, dryRun: true }, options));
    return EXIT.ok;
  }
  const started = await client().endpoints.recover(id, { ...body, dryRun: false }, options);
  if (values.watch) return watchOperation(context, started.id);
  await output.item(started);
  return EXIT.ok;
}
