import { type EventType, NotFoundError, type Posthorn } from '@posthorn/client';
import { nearestName } from '@posthorn/runtime/nearest-name';
import { given, type Row, readJson, readObject, required, text, texts } from '../command.ts';
import { type Context, findEnvironments } from '../context.ts';
import { CommandError, EXIT, Usage } from '../failure.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const COLUMNS: Columns<EventType> = {
  name: (type) => type.name,
  id: (type) => type.id,
  schema: (type) => (type.schema === null ? '–' : `version ${type.schemaVersion}`),
  description: (type) => type.description,
};

const FIELDS = {
  '--description <text>': 'for people',
  '--schema <json>': 'a JSON Schema of its payloads, as JSON, @file or -',
  '--example <json>': 'an example of a payload, as JSON, @file or -',
};

const PUBLICATION = { '--schema-mode <mode>': 'how payloads are checked: off, warn or reject' };

export const eventTypes: readonly Row[] = [
  listRow({
    summary: 'List event types',
    examples: ['posthorn event-types list'],
    columns: COLUMNS,
    items: ({ client }, _values, page) => client().eventTypes.list(page),
  }),
  getRow({
    usage: 'get <name>',
    summary: 'Show an event type, by name or id',
    examples: ['posthorn event-types get order.placed'],
    async read({ client, signal }, name) {
      return client().eventTypes.get(await requireEventTypeId(client(), name, signal), { signal });
    },
  }),
  {
    usage: 'create <name>',
    summary: 'Create an event type, published in the environment that is used',
    options: {
      ...FIELDS,
      '--publish-in <slugs>': 'the environments, with commas between them',
      '--unpublished': 'in none',
    },
    examples: ['posthorn event-types create order.refunded --description "Money went back"'],
    async run(context, call) {
      const { client, output, signal } = context;
      const { values } = call;
      const schema = await readObject(context, values, 'schema');
      const body = {
        name: required(call, 0),
        publishIn: values.unpublished ? [] : await readEnvironments(context, texts(values, 'publishIn')),
        ...given({
          description: text(values, 'description'),
          schema,
          example: await readJson(context, values, 'example'),
        }),
      };
      await output.item(await client().eventTypes.create(body, { signal }));
    },
  },
  {
    usage: 'update <name>',
    summary: 'Change an event type; what is not named stays',
    options: { ...FIELDS, '--dry-run': 'only tell how the schema differs for receivers' },
    examples: ['posthorn event-types update order.placed --description "An order was placed"'],
    async run(context, call) {
      const { client, output, signal } = context;
      const { values } = call;
      const schema = await readObject(context, values, 'schema');
      const example = await readJson(context, values, 'example');
      const body = given({ description: text(values, 'description'), schema, example });
      if (Object.keys(body).length === 0) throw new Usage('Name what to change, such as --schema or --description');
      const id = await requireEventTypeId(client(), required(call, 0), signal);
      await output.item(await client().eventTypes.update(id, body, { dryRun: values.dryRun === true, signal }));
    },
  },
  {
    usage: 'publish <name>',
    summary: 'Let endpoints of the environment get events of a type',
    options: PUBLICATION,
    examples: ['posthorn event-types publish order.placed'],
    run: (context, call) => setVisibility(context, call, true),
  },
  {
    usage: 'unpublish <name>',
    summary: 'Let no endpoint of the environment get events of a type',
    options: PUBLICATION,
    examples: ['posthorn event-types unpublish order.refunded'],
    run: (context, call) => setVisibility(context, call, false),
  },
  deleteRow({
    usage: 'delete <name>',
    summary: 'Delete an event type to which no endpoint subscribes',
    examples: ['posthorn event-types delete order.refunded --yes'],
    question: (name) => `Delete the event type ${name}?`,
    async remove({ client, signal }, name) {
      await client().eventTypes.delete(await requireEventTypeId(client(), name, signal), { signal });
    },
  }),
];

async function setVisibility(
  { client, requireEnvironmentId, output, signal }: Parameters<Row['run']>[0],
  call: Parameters<Row['run']>[1],
  published: boolean,
): Promise<void> {
  const id = await requireEventTypeId(client(), required(call, 0), signal);
  const body = { published, ...given({ schemaMode: text(call.values, 'schemaMode') as 'off' | undefined }) };
  await output.item(await client().eventTypes.setVisibility(await requireEnvironmentId(), id, body, { signal }));
}

async function readEnvironments(context: Context, named: readonly string[] | undefined): Promise<string[]> {
  return named === undefined ? [await context.requireEnvironmentId()] : findEnvironments(context, named);
}

/**
 * The error of a command. For an unknown event type, it suggests the closest name, if the credential may read event
 * types.
 */
export async function withNearType(error: unknown, { client, signal }: Context): Promise<unknown> {
  const [, wanted] = error instanceof NotFoundError ? error.message.split('Event type not found: ') : [];
  if (wanted === undefined) return error;
  try {
    await requireEventTypeId(client(), wanted, signal);
    return error;
  } catch (missing) {
    return missing instanceof CommandError ? missing : error;
  }
}

/** The id of an event type that is named by its name or its id. */
export async function requireEventTypeId(client: Posthorn, wanted: string, signal: AbortSignal): Promise<string> {
  const [id = ''] = await requireEventTypeIds(client, [wanted], signal);
  return id;
}

/** Event type ids for several names or ids, in the given order. */
export async function requireEventTypeIds(
  client: Posthorn,
  wanted: readonly string[],
  signal: AbortSignal,
): Promise<string[]> {
  const ids = new Map<string, string>();
  const names: string[] = [];
  for await (const { id, name } of client.eventTypes.list({ signal })) {
    names.push(name);
    ids.set(name, id).set(id, id);
  }
  return wanted.map((one) => {
    const id = ids.get(one);
    if (id !== undefined) return id;
    const name = nearestName(one, names);
    throw new CommandError({
      exitCode: EXIT.notFound,
      code: 'not_found',
      message: `There is no event type ${one}`,
      next: name === undefined ? 'posthorn event-types list shows them' : `did you mean ${name}?`,
    });
  });
}
