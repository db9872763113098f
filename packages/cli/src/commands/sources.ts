import type { CreateSourceBody, Source, SourceRejection, UpdateSourceBody } from '@posthorn/client';
import {
  given,
  LIST_OPTIONS,
  pageSize,
  printList,
  type Row,
  readObject,
  required,
  text,
  wholeNumber,
} from '../command.ts';
import { EXIT, Usage } from '../failure.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const COLUMNS: Columns<Source> = {
  id: (source) => source.id,
  externalId: (source) => source.externalId,
  name: (source) => source.name,
  topics: (source) => source.config.topics.join(', '),
  status: (source) => source.health.status,
  lag: (source) => source.health.lagRecords,
  rejected: (source) => source.health.rejected,
  error: (source) => source.health.error,
};

const REJECTIONS: Columns<SourceRejection> = {
  topic: (record) => record.topic,
  partition: (record) => record.partition,
  offset: (record) => record.offset,
  reason: (record) => record.reason,
  message: (record) => record.message,
};

const FIELDS = {
  '--external-id <text>': 'your own name for it, unique in its environment',
  '--config <json>': 'the brokers, the topics and what a record means, as JSON, @file or -',
  '--credentials <json>': 'the user and the password, as JSON, @file or -',
};

/** The service answers within this time: a dispatcher has 20 s to begin and 30 s in total. */
const TEST_TIMEOUT_MS = 35_000;

/** A command that changes one field only. */
function setActive(isActive: boolean, words: { usage: string; summary: string; examples: Row['examples'] }): Row {
  return {
    ...words,
    async run({ client, output, signal }, call) {
      await output.item(await client().sources.update(required(call, 0), { isActive }, { signal }));
    },
  };
}

export const sources: readonly Row[] = [
  listRow({
    summary: 'List the sources with their health',
    examples: ['posthorn sources list'],
    columns: COLUMNS,
    items: async ({ client, environmentId }, _values, page) =>
      client().sources.list({ ...page, ...given({ environmentId: await environmentId() }) }),
  }),
  getRow({
    summary: 'Show a source and its health',
    examples: ['posthorn sources get "$SOURCE_ID"'],
    read: ({ client, signal }, id) => client().sources.get(id, { signal }),
  }),
  {
    usage: 'create <name>',
    summary: 'Read topics of Kafka: each record becomes an event',
    options: FIELDS,
    examples: [
      'posthorn sources create Orders --config \'{"brokers":["127.0.0.1:9093"],"topics":["orders"],"eventType":{"fixed":"order.placed"}}\'',
    ],
    async run(context, call) {
      const { client, environmentId, output, signal } = context;
      const config = await readObject(context, call.values, 'config');
      if (config === undefined) throw new Usage('--config is required');
      const credentials = await readObject(context, call.values, 'credentials');
      const place = given({
        ...{ environmentId: await environmentId(), credentials },
        externalId: text(call.values, 'externalId'),
      });
      const body = { name: required(call, 0), config, ...place } as CreateSourceBody;
      await output.item(await client().sources.create(body, { signal }));
    },
  },
  {
    usage: 'update <id>',
    summary: 'Change a source; what is not named stays',
    options: { '--name <name>': 'another name', ...FIELDS },
    examples: ['posthorn sources update "$SOURCE_ID" --name "All orders"'],
    async run(context, call) {
      const { client, output, signal } = context;
      const body = given({
        name: text(call.values, 'name'),
        externalId: text(call.values, 'externalId'),
        config: await readObject(context, call.values, 'config'),
        credentials: await readObject(context, call.values, 'credentials'),
      }) as UpdateSourceBody;
      if (Object.keys(body).length === 0) throw new Usage('Name what to change, such as --config');
      await output.item(await client().sources.update(required(call, 0), body, { signal }));
    },
  },
  setActive(false, {
    usage: 'disable <id>',
    summary: 'Stop reading; the records stay in their topics',
    examples: ['posthorn sources disable "$SOURCE_ID"'],
  }),
  setActive(true, {
    usage: 'enable <id>',
    summary: 'Read on where it was',
    examples: ['posthorn sources enable "$SOURCE_ID"'],
  }),
  {
    usage: 'seek <id> <topic>',
    summary: 'Read on at another place of a topic',
    options: {
      '--partition <n>': 'this partition alone',
      '--offset <n>': 'the record that is read next',
      '--at <time>': 'the first record of this time, or after it',
    },
    examples: ['posthorn sources seek "$SOURCE_ID" orders --partition 0 --offset 118822'],
    async run({ client, output, signal }, call) {
      const { values } = call;
      const most = { least: 0, most: Number.MAX_SAFE_INTEGER };
      const body = {
        topic: required(call, 1),
        ...given({
          partition: wholeNumber(values, 'partition', most),
          offset: wholeNumber(values, 'offset', most),
          timestamp: moment(values, 'at'),
        }),
      };
      await output.item(await client().sources.seek(required(call, 0), body, { signal }));
    },
  },
  {
    usage: 'test <id>',
    summary: 'Connect to the brokers and read one record, without storing it',
    examples: ['posthorn sources test "$SOURCE_ID"'],
    async run({ client, output, signal }, call) {
      const options = { timeoutMs: TEST_TIMEOUT_MS, signal };
      const tested = await client().sources.test(required(call, 0), options);
      await output.item(tested);
      return tested.outcome === 'failure' ? EXIT.refused : EXIT.ok;
    },
  },
  {
    usage: 'rejections <id>',
    summary: 'List the records that did not become events',
    options: LIST_OPTIONS,
    examples: ['posthorn sources rejections "$SOURCE_ID"'],
    async run(context, call) {
      const { client, signal } = context;
      const options = { ...pageSize(call.values), signal };
      const items = client().sources.listRejections(required(call, 0), options);
      await printList(context, { items, columns: REJECTIONS, values: call.values });
    },
  },
  deleteRow({
    summary: 'Delete a source; its events stay',
    examples: ['posthorn sources delete "$SOURCE_ID" --yes'],
    question: (id) => `Delete the source ${id}, with its place in the topics?`,
    remove: ({ client, signal }, id) => client().sources.delete(id, { signal }),
  }),
];
