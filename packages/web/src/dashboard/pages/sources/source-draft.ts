import type { CreateSourceBody, Source } from '../../../client/resources.ts';
import {
  changeOf,
  type SchemaDraft,
  type SchemaField,
  shapeOf,
} from '../../../components/destination/schema-fields.ts';
import { draftOf, plain, rebased, type Shape, typedValue } from '../../../components/draft.ts';

// The form's values for a source, and the request body that they make.

const described = (name: string, label: string, given: Partial<SchemaField> = {}): SchemaField => ({
  ...{ name, label, description: '', control: 'text', isSecret: false, isRequired: false },
  ...{ placeholder: '', preset: '', choices: [] },
  ...given,
});

/** The fields for the brokers and topics to read. */
export const PLACE: readonly SchemaField[] = [
  described('brokers', 'Brokers', {
    ...{ control: 'list', isRequired: true, placeholder: 'kafka.example.com:9093' },
    description: 'One in each line. The others of the cluster are found from them.',
  }),
  described('topics', 'Topics', {
    ...{ control: 'list', isRequired: true, placeholder: 'orders' },
    description: 'One in each line, at most 10. They must exist.',
  }),
  described('start', 'Begin at', {
    ...{ placeholder: 'latest', preset: 'latest' },
    description:
      'latest, earliest, or a time such as 2026-11-30T08:00:00Z. It counts when a topic is read for the first time.',
  }),
  described('tls', 'Connect with TLS', { control: 'switch', preset: true }),
  described('saslMechanism', 'Sign in with', {
    ...{ control: 'choice', preset: 'none' },
    choices: ['none', 'plain', 'scram-sha-256', 'scram-sha-512'],
  }),
  described('ca', 'Certificate authority', {
    ...{ control: 'long', placeholder: '-----BEGIN CERTIFICATE-----…' },
    description: 'In PEM, if the cluster has a private one.',
  }),
];

/** The fields for the login at the brokers. */
export const CREDENTIALS: readonly SchemaField[] = [
  described('username', 'User'),
  described('password', 'Password', { isSecret: true }),
  described('clientCertificate', 'Client certificate', { control: 'long', isSecret: true, description: 'In PEM.' }),
  described('clientKey', 'Client key', { control: 'long', isSecret: true, description: 'In PEM.' }),
];

/** The fields for records that cannot become events as usual. */
export const RECORDS: readonly SchemaField[] = [
  described('contentType', 'Content type', { preset: 'application/json' }),
  described('tombstones', 'A record without a value', { control: 'choice', preset: 'skip', choices: ['skip', 'send'] }),
  described('onError', 'A record that cannot become an event', {
    ...{ control: 'choice', preset: 'reject', choices: ['reject', 'stop'] },
    description: 'reject: it is noted, and reading goes on. stop: reading stops before it.',
  }),
];

/** The place of a value in a record: a header, a JSON pointer into the value, or a fixed text. */
type Where = { by: 'header' | 'pointer' | 'fixed' | ''; text: string };

export type SourceDraft = {
  name: string;
  config: SchemaDraft;
  eventType: Where;
  application: Where;
  /** A JSON pointer to the event's payload; empty for the whole value. */
  data: string;
  isOrdered: boolean;
  idempotencyKey: string;
  credentials: SchemaDraft;
};

type SourceConfig = Source['config'];
type SourceBody = Pick<CreateSourceBody, 'name' | 'config'> & { credentials?: Record<string, string | null> };

const SHAPE = shapeOf([...PLACE, ...RECORDS]);
const SECRETS = shapeOf(CREDENTIALS);

/** The form's values for a source; without one, an empty form. */
export function sourceDraft(source?: Pick<Source, 'name' | 'config'>): SourceDraft {
  const { eventType, application, data, orderingKey, idempotencyKey } = source?.config ?? {};
  return {
    name: source?.name ?? '',
    config: draftOf(SHAPE, source?.config),
    eventType: source === undefined ? { by: 'header', text: '' } : whereOf(eventType),
    application: whereOf(application),
    data: data?.pointer ?? '',
    isOrdered: orderingKey === 'key',
    idempotencyKey: idempotencyKey?.header ?? '',
    credentials: draftOf(SECRETS),
  };
}

/** The parts of the form that change on their own. */
const PARTS: Shape = {
  ...{ name: plain, config: SHAPE, eventType: plain, application: plain },
  ...{ data: plain, isOrdered: plain, idempotencyKey: plain, credentials: SECRETS },
};

/** The form with what was typed since `start`. The rest is as the source has it now. */
export function rebasedSource(draft: SourceDraft, start: SourceDraft, now: Pick<Source, 'name' | 'config'>) {
  return rebased(PARTS, draft, start, sourceDraft(now));
}

/** What was typed. The config is whole, as the service takes it. */
export function sourceBody(draft: SourceDraft): SourceBody {
  const { name, config, eventType, application, data, isOrdered, idempotencyKey, credentials } = draft;
  const given = changeOf(CREDENTIALS, credentials);
  const key = idempotencyKey.trim();
  return {
    name: name.trim(),
    config: {
      ...typedValue(SHAPE, config, {}),
      eventType: placeOf(eventType),
      ...(application.by === '' ? {} : { application: placeOf(application) }),
      // Not trimmed: an empty pointer means the whole value, and a space may be part of a pointer.
      ...(data === '' ? {} : { data: { pointer: data } }),
      orderingKey: isOrdered ? 'key' : null,
      ...(key === '' ? {} : { idempotencyKey: { header: key } }),
    } as CreateSourceBody['config'],
    ...(Object.keys(given).length > 0 && { credentials: given }),
  };
}

function whereOf(where: SourceConfig['eventType'] | undefined): Where {
  for (const by of ['header', 'pointer', 'fixed'] as const) {
    const text = where?.[by];
    if (text !== undefined) return { by, text };
  }
  return { by: '', text: '' };
}

function placeOf({ by, text }: Where): Record<string, string> {
  return by === '' ? {} : { [by]: by === 'pointer' ? text : text.trim() };
}
