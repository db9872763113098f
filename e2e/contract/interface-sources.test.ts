import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Admin, ProduceAcks, Producer } from '@platformatic/kafka';
import { batchOf, type Cluster, FETCH, fetchAnswer, recordOf, serveKafka } from '@posthorn/testkit/hostile-kafka';
import { hasKafka, KAFKA_USER, type KafkaBroker, makeTopics, startKafka } from '@posthorn/testkit/kafka';
import { receiverCertificate } from '@posthorn/testkit/receiver-certificate';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Reply, type Service, startService, unique } from './service.ts';

type Wrong = { config?: object; credentials?: object };
type Given = {
  key?: string | Buffer;
  value?: string | Buffer | null;
  headers?: Record<string, string>;
  partition?: number;
  timestamp?: bigint;
};

describe('docs/interface.md, Sources: each record of a topic becomes one event, whoever reads it', () => {
  if (!hasKafka()) return void test.skip('Kafka is not installed', () => undefined);
  let broker: KafkaBroker;
  let service: Service;
  let admin: Admin;
  let producer: Producer;
  let ca: string;

  beforeAll(async () => {
    ca = (await receiverCertificate('good')).caPem;
    [broker, service] = await Promise.all([
      startKafka(),
      startService({ dispatchers: 2, settings: { MAX_PAYLOAD_BYTES: '1000' } }),
    ]);
    admin = new Admin({ clientId: 'admin', bootstrapBrokers: [broker.open] });
    producer = new Producer({ clientId: 'producer', bootstrapBrokers: [broker.open], autocreateTopics: false });
  }, 360_000);
  afterAll(async () => {
    await producer?.close();
    await admin?.close();
    await service?.stop();
    await broker?.stop();
  }, 60_000);

  const manage: Service['workspace']['manage'] = (...given) => service.workspace.manage(...given);

  async function createTopic(partitions = 1, configs: { name: string; value: string }[] = []): Promise<string> {
    const topic = unique('orders-');
    await makeTopics(admin, { topics: [topic], partitions, configs });
    return topic;
  }

  async function produce(topic: string, records: readonly Given[], compression?: 'gzip' | 'lz4'): Promise<void> {
    const messages = records.map(({ key = 'k', value = '{}', headers = {}, partition, timestamp }) => ({
      topic,
      key: Buffer.from(key),
      ...(value === null ? {} : { value: Buffer.from(value) }),
      headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
      ...(partition === undefined ? {} : { partition }),
      ...(timestamp === undefined ? {} : { timestamp }),
    }));
    for (let from = 0; from < messages.length; from += 500) {
      await producer.send({
        messages: messages.slice(from, from + 500),
        acks: ProduceAcks.ALL,
        ...(compression && { compression }),
      });
    }
  }

  async function createType(): Promise<string> {
    const name = unique('order.read_');
    await manage('POST', '/event-types', { name, publishIn: [service.workspace.environmentId] });
    return name;
  }

  async function createSource(topics: string[], config: object, more: object = {}): Promise<Reply['body']> {
    const cluster = { brokers: [broker.secure], saslMechanism: 'scram-sha-512', ca, topics, start: 'earliest' };
    const body = { name: topics[0], credentials: KAFKA_USER, config: { ...cluster, ...config }, ...more };
    const reply = await manage('POST', '/sources', body);
    expect([reply.status, reply.body.error]).toEqual([201, undefined]);
    return reply.body;
  }

  const eventsOf = (eventType: string) =>
    service.stack.db.event.findMany({ where: { eventType }, orderBy: { id: 'asc' } });

  function read(eventType: string, count: number) {
    return waitFor(
      async () => {
        const events = await eventsOf(eventType);
        return events.length >= count && events;
      },
      { what: `${count} events of ${eventType}`, timeoutMs: 60_000 },
    );
  }

  const health = async (id: string) => (await manage('GET', `/sources/${id}`)).body.health;
  const healthOf = (id: string, status: string) =>
    waitFor(
      async () => {
        const found = await health(id);
        return found.status === status && found;
      },
      { what: `a source that is ${status}`, timeoutMs: 60_000 },
    );

  test('type, customer, order and data come from the record; the credentials are in no answer', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    await manage('POST', '/applications', { name: 'Acme', externalId: 'acme' });
    const value = JSON.stringify({ meta: { type: eventType }, data: { order: 7 } });
    await produce(topic, [{ key: 'order-7', value, headers: { customer: 'acme' } }]);
    const source = await createSource([topic], {
      eventType: { pointer: '/meta/type' },
      data: { pointer: '/data' },
      application: { header: 'customer' },
      orderingKey: 'key',
    });
    expect(source).toMatchObject({ credentialNames: ['password', 'username'], health: { status: 'starting' } });
    const [event] = await read(eventType, 1);
    expect(event).toMatchObject({ orderingKey: 'order-7', contentType: 'application/json', payloadSize: 11 });
    expect(event?.applicationId).not.toBeNull();
    expect(event?.source).toMatchObject({ sourceId: source.id, topic, partition: 0, offset: '0' });
    expect(await healthOf(source.id, 'running')).toMatchObject({ error: null, lagRecords: 0, rejected: 0 });
    expect(JSON.stringify(await manage('GET', '/sources'))).not.toMatch(/canary/);
    expect(JSON.stringify(await manage('GET', '/audit-logs'))).not.toMatch(/canary/);
  }, 90_000);

  test('a source begins at the end by default, and a tombstone is skipped or sent as it says', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    await produce(topic, [{ value: '"old"' }]);
    const fixed = { eventType: { fixed: eventType }, start: 'latest', tombstones: 'send' };
    const { id } = await createSource([topic], fixed);
    await healthOf(id, 'running');
    await produce(topic, [{ value: null }, { value: '"new"' }]);
    const events = await read(eventType, 2);
    expect(events.map(({ payloadSize }) => payloadSize)).toEqual([0, 5]);
  }, 90_000);

  test('a record that cannot become an event is rejected with its place and the rule, and the others go on', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    await produce(topic, [
      { headers: { type: eventType } },
      { headers: {} },
      { headers: { type: 'no.such' } },
      { headers: { type: eventType }, value: 'x'.repeat(1_001) },
      { headers: { type: eventType }, value: '{' },
      { headers: { type: eventType, key: 'same' }, value: '1' },
      { headers: { type: eventType, key: 'same' }, value: '2' },
      { headers: { type: eventType, key: 'same' }, value: '1' },
      { headers: { type: eventType } },
    ]);
    const config = { eventType: { header: 'type' }, idempotencyKey: { header: 'key' } };
    const { id } = await createSource([topic], config);
    expect(await read(eventType, 3)).toHaveLength(3);
    await waitFor(async () => (await health(id)).rejected === 5, { what: 'the rejections', timeoutMs: 20_000 });
    const { body } = await manage('GET', `/sources/${id}/rejections`);
    expect(body.rejections.map(({ offset, reason }: Reply['body']) => [offset, reason]).toSorted()).toEqual([
      [1, 'validation_error'],
      [2, 'not_found'],
      [3, 'payload_too_large'],
      [4, 'validation_error'],
      [6, 'idempotency_conflict'],
    ]);
  }, 90_000);

  test('no record holds up those behind it: whatever is wrong with it, it is rejected, and its time is one that is shown', async () => {
    const anyTime = { name: 'message.timestamp.after.max.ms', value: String(2n ** 63n - 1n) };
    const [topic, eventType] = [await createTopic(1, [anyTime]), await createType()];
    const whole = (fields: string) => `{"t":"${eventType}",${fields}}`;
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const [micros, nanos] = [1_760_000_000_000_000n, 1_760_000_000_000_000_000n];
    const records: [Given, string | null][] = [
      [{ value: whole('"d":1,"c":"a\\u0000"') }, 'not_found'],
      [{ value: whole('"d":1,"c":"a\\ud800"') }, 'not_found'],
      [{ value: whole(`"d":1,"c":"${'x'.repeat(100_000)}"`) }, 'not_found'],
      [{ value: '{"t":"a\\u0000","d":1}' }, 'not_found'],
      [{ value: `{"t":"${'x'.repeat(100_000)}","d":1}` }, 'not_found'],
      [{ value: whole(`"d":${deep}`) }, 'payload_too_large'],
      [{ value: whole(`"x":${deep},"d":12345678901234567890`) }, null],
      [
        { value: Buffer.concat([Buffer.from(whole('"d":"').slice(0, -1)), Buffer.of(0xff), Buffer.from('"}')]) },
        'validation_error',
      ],
      [{ value: Buffer.of(0xff, 0x00) }, 'validation_error'],
      [{ value: '' }, 'validation_error'],
      [{ value: whole('"d":1'), key: Buffer.of(0x00, 0xff) }, 'validation_error'],
      [{ value: whole('"d":1'), headers: { id: 'é' } }, 'validation_error'],
      [{ value: whole('"d":1'), headers: { id: 'a\u0000' } }, 'validation_error'],
      [{ value: '{', timestamp: nanos }, 'validation_error'],
      [{ value: whole('"d":1'), timestamp: micros }, null],
      [{ value: whole('"d":1'), timestamp: nanos }, null],
      [{ value: whole('"d":1'), timestamp: -1n }, null],
      [{ value: whole('"d":"last"') }, null],
    ];
    for (const [record] of records) await produce(topic, [record]);
    await produce(topic, [{ value: null, timestamp: nanos }]);
    const config = { application: { pointer: '/c' }, data: { pointer: '/d' }, idempotencyKey: { header: 'id' } };
    const { id } = await createSource([topic], { eventType: { pointer: '/t' }, orderingKey: 'key', ...config });
    const events = await read(eventType, 5);
    expect(events.map(({ payloadSize }) => payloadSize)).toEqual([20, 1, 1, 1, 6]);
    await waitFor(async () => (await health(id)).lagRecords === 0, { what: 'the end of the topic', timeoutMs: 20_000 });
    const { rejections } = (await manage('GET', `/sources/${id}/rejections`)).body;
    const reasons = new Map(rejections.map(({ offset, reason }: Reply['body']) => [offset, reason]));
    expect(records.map((_, offset) => reasons.get(offset) ?? null)).toEqual(records.map(([, reason]) => reason));
    const listed = await manage('GET', `/events?event_type=${eventType}`);
    expect(listed.status).toBe(200);
    const times = listed.body.events.map(({ source }: Reply['body']) => source.timestamp).toReversed();
    expect(times.slice(1, 4)).toEqual([
      '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
    ]);
    const { status, error, lastRecordAt } = await health(id);
    expect([status, error]).toEqual(['running', null]);
    expect(Date.parse(lastRecordAt)).toBeLessThanOrEqual(Date.now());
  }, 90_000);

  test('batches that become large without their compression are read one by one, and the largest holds up its partition alone', async () => {
    const [topic, eventType] = [await createTopic(2), await createType()];
    const value = 'x'.repeat(1_000_000);
    const batch = (count: number) => Array.from({ length: count }, () => ({ value, partition: 0 }));
    for (const compression of ['gzip', 'lz4', 'gzip'] as const) await produce(topic, batch(30), compression);
    await produce(topic, [{ partition: 0 }]);
    await produce(topic, batch(70), 'gzip');
    await produce(topic, [{ partition: 0 }]);
    const { id } = await createSource([topic], { eventType: { fixed: eventType } });
    await read(eventType, 1);
    const { error } = await healthOf(id, 'failing');
    expect(error).toContain(`${topic}/0/91: A batch of records has more than 64 MiB without its compression`);
    expect(error).toContain('Seek to 161 to go on');
    expect((await health(id)).rejected).toBe(90);
    for (const count of [2, 3]) {
      await produce(topic, [{ partition: 1 }]);
      await read(eventType, count);
    }
    expect((await health(id)).error).toBe(error);
    expect((await manage('POST', `/sources/${id}/seek`, { topic, partition: 0, offset: 161 })).status).toBe(200);
    await read(eventType, 4);
    await healthOf(id, 'running');
  }, 90_000);

  test('with onError stop, it stops before the record, and a seek lets it read on', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    const type = { type: eventType };
    await produce(topic, [{ headers: type }, { headers: {} }, { headers: type }]);
    const { id } = await createSource([topic], { eventType: { header: 'type' }, onError: 'stop' });
    expect((await healthOf(id, 'stopped')).error).toContain(`${topic}/0/1: No event type`);
    expect(await eventsOf(eventType)).toHaveLength(1);
    expect((await manage('POST', `/sources/${id}/seek`, { topic, offset: 2 })).status).toBe(200);
    await read(eventType, 2);
    await healthOf(id, 'running');
    const at = new Date(0).toISOString();
    expect((await manage('POST', `/sources/${id}/seek`, { topic, timestamp: at })).status).toBe(200);
    await read(eventType, 3);
  }, 90_000);

  test('a topic that was made anew stops it: it never jumps by itself', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    await produce(topic, [{}]);
    const { id } = await createSource([topic], { eventType: { fixed: eventType } });
    await read(eventType, 1);
    await manage('PATCH', `/sources/${id}`, { isActive: false });
    await admin.deleteTopics({ topics: [topic] });
    await waitFor(
      () =>
        admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 }).then(
          () => true,
          () => false,
        ),
      { what: 'the topic to be made anew', timeoutMs: 30_000 },
    );
    await produce(topic, [{}, {}]);
    await manage('PATCH', `/sources/${id}`, { isActive: true });
    expect((await healthOf(id, 'stopped')).error).toMatch(/^offset_lost: .*made anew; there are 0 to 1/);
    expect(await eventsOf(eventType)).toHaveLength(1);
  }, 90_000);

  test('brokers that refuse the password, or are not there, are told in their words, and it goes on by itself', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    const wrong = { credentials: { ...KAFKA_USER, password: 'wrong' } };
    const { id } = await createSource([topic], { eventType: { fixed: eventType } }, wrong);
    expect((await healthOf(id, 'failing')).error).toMatch(/Kafka refused/);
    await manage('PATCH', `/sources/${id}`, { credentials: KAFKA_USER });
    await healthOf(id, 'running');
    await broker.kill();
    await healthOf(id, 'failing');
    await broker.start();
    await produce(topic, [{}]);
    await read(eventType, 1);
  }, 150_000);

  test('two dispatchers that read the same partitions again and again store each record once, in order', async () => {
    const [topic, eventType] = [await createTopic(3), await createType()];
    const total = 6_000;
    const { id } = await createSource([topic], { eventType: { fixed: eventType } });
    let isOver = false;
    // Takes the lease away again and again. Each time, another dispatcher begins to read while the previous
    // one still reads.
    const steal = async () => {
      for (; !isOver; await service.stack.db.$executeRaw`select pg_sleep(0.3)`) {
        await service.stack.db.$executeRaw`update source set read_until = null, reader = null where name = ${topic}`;
      }
    };
    const stealing = steal();
    for (let from = 0; from < total; from += 300) {
      const records = Array.from({ length: 300 }, (_, index) => ({
        value: String(from + index),
        partition: (from + index) % 3,
      }));
      await produce(topic, records);
    }
    const events = await read(eventType, total);
    isOver = true;
    await stealing;
    const places = events.map(({ source }) => source as { partition: number; offset: string });
    expect(new Set(places.map(({ partition, offset }) => `${partition}/${offset}`)).size).toBe(total);
    expect(events).toHaveLength(total);
    for (const partition of [0, 1, 2]) {
      const offsets = places.filter((one) => one.partition === partition).map(({ offset }) => Number(offset));
      expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
    }
    expect((await health(id)).rejected).toBe(0);
  }, 150_000);

  test('a partition with one record does not wait until all of the others are read', async () => {
    const [topic, eventType] = [await createTopic(5), await createType()];
    // More than 2 MiB of each: an answer has room for 1 MiB of four partitions.
    const value = JSON.stringify('x'.repeat(940));
    for (const partition of [0, 1, 2, 3]) {
      await produce(
        topic,
        Array.from({ length: 2_600 }, () => ({ value, partition })),
      );
    }
    await produce(topic, [{ partition: 4 }]);
    await createSource([topic], { eventType: { fixed: eventType } });
    const { db } = service.stack;
    const areAll = async () => (await db.event.count({ where: { eventType } })) === 4 * 2_600 + 1;
    await waitFor(areAll, { what: 'all events', timeoutMs: 60_000 });
    const events = await db.event.findMany({ where: { eventType }, orderBy: { id: 'asc' }, select: { source: true } });
    const places = events.map(({ source }) => source as { partition: number; offset: string });
    const indexOf = (wanted: number, at: string) =>
      places.findIndex(({ partition, offset }) => partition === wanted && offset === at);
    expect(indexOf(4, '0')).toBeLessThan(indexOf(0, '1500'));
  }, 150_000);

  test('whatever the brokers of a source send, only this source fails, and says why', async () => {
    const tls = await receiverCertificate('good');
    const zeros = Buffer.alloc(65 * 1024 * 1024);
    const fetched = (records: Buffer, given: Parameters<typeof batchOf>[1] = {}): Cluster => {
      const answer = fetchAnswer(batchOf(records, given));
      return { answers: { [FETCH]: () => answer } };
    };
    const hostile: [why: RegExp, cluster: Cluster][] = [
      [/more records than it has/, fetched(recordOf(0, 0, -7, -1, 0), { count: 0x7fff_0000 })],
      [/its lengths are wrong/, fetched(recordOf(0, 0, -7, -1, 0))],
      [/a number in it is too long/, fetched(recordOf(Buffer.alloc(8 * 1024 * 1024, 0xff), 0, -1, -1, 0))],
      ...(['gzip', 'lz4', 'snappy', 'zstd'] as const).map((compression): [RegExp, Cluster] => [
        /more than 64 MiB without its compression/,
        fetched(zeros, { compression, count: 9_000_000 }),
      ]),
      [/1,001 partitions together, and a source reads at most 1,000/, { partitions: 1_001 }],
    ];
    const [topic, eventType] = [await createTopic(), await createType()];
    const type = { eventType: { fixed: eventType } };
    const { id: honest } = await createSource([topic], type);
    await healthOf(honest, 'running');
    const servers = await Promise.all(
      hostile.map(([, cluster]) => serveKafka({ hosts: ['localhost'], ...cluster, tls })),
    );
    let sources: Reply['body'][] = [];
    try {
      sources = await Promise.all(
        servers.map(({ port }) => {
          const cluster = { brokers: [`localhost:${port}`], saslMechanism: 'none' };
          return createSource(['events'], { ...cluster, ...type }, { name: `at ${port}`, credentials: {} });
        }),
      );
      for (const [index, { id }] of sources.entries()) {
        const says = async () => hostile[index]?.[0].test((await healthOf(id, 'failing')).error) === true;
        await waitFor(says, { what: `a source that says ${hostile[index]?.[0]}`, timeoutMs: 60_000 });
      }
      await produce(topic, [{}]);
      await read(eventType, 1);
      const tested = await manage('POST', `/sources/${sources[0]?.id}/test`);
      expect(tested.body).toMatchObject({ outcome: 'failure', error: expect.stringMatching(hostile[0]?.[0] ?? '') });
    } finally {
      for (const id of [honest, ...sources.map((one) => one.id)]) await manage('DELETE', `/sources/${id}`);
      for (const { close } of servers) close();
    }
  }, 150_000);

  test('a test connects, describes the topics and says what a new record means; it stores and moves nothing', async () => {
    const [topic, eventType] = [await createTopic(2), await createType()];
    const isActive = false;
    const { id } = await createSource([topic], { eventType: { header: 'type' } }, { isActive });
    const tested = async () => {
      const { status, body } = await manage('POST', `/sources/${id}/test`);
      expect([status, body.error?.code]).toEqual([200, undefined]);
      return body;
    };
    expect(await tested()).toMatchObject({
      ...{ sourceId: id, outcome: 'success', error: null, record: null },
      topics: [{ name: topic, partitions: 2, records: 0 }],
    });
    expect(codeOf(await manage('POST', `/sources/${id}/test`))).toBe('rate_limited');
    const type = { type: eventType };
    await produce(topic, [
      { headers: { type: 'no.such' }, partition: 1 },
      { headers: type, value: '{"a":1}', partition: 1 },
    ]);
    const record = { topic, partition: 1, offset: 1, size: 7, eventType, rejection: null };
    const again = await waitFor(
      async () => {
        const reply = await manage('POST', `/sources/${id}/test`);
        return reply.status === 200 && reply.body;
      },
      { what: 'the next test', timeoutMs: 30_000 },
    );
    expect(again).toMatchObject({ outcome: 'success', topics: [{ name: topic, partitions: 2, records: 2 }], record });
    // What a reader would reject, a test tells.
    await manage('POST', '/applications', { name: 'Globex', externalId: 'globex' });
    const tests: [string, object, string | null, string | null][] = [
      [`{"t":"${eventType}","c":"globex"}`, {}, eventType, null],
      [`{"t":"${eventType}","c":"nobody"}`, {}, eventType, 'Application not found'],
      [`{"t":"${eventType}","c":"a\\u0000"}`, {}, eventType, 'Application not found'],
      [`{"t":"${eventType}"`, { eventType: { fixed: eventType } }, null, 'No application: the value at /c has no text'],
      [
        `{"t":"${eventType}"`,
        { eventType: { fixed: eventType }, application: undefined },
        eventType,
        'well-formed JSON',
      ],
      ['{"t":"a\\u0000"}', {}, null, 'Event type not found: a\\u0000'],
    ];
    for (const [value, config, shown, rejection] of tests) {
      const other = await createTopic();
      await produce(other, [{ value }]);
      const given = { eventType: { pointer: '/t' }, application: { pointer: '/c' }, ...config };
      const made = await createSource([other], given, { isActive });
      const { body } = await manage('POST', `/sources/${made.id}/test`);
      expect([body.outcome, body.record.eventType]).toEqual(['success', shown]);
      if (rejection === null) expect(body.record.rejection).toBeNull();
      else expect(body.record.rejection).toContain(rejection);
      await manage('DELETE', `/sources/${made.id}`);
    }
    expect(await eventsOf(eventType)).toEqual([]);
    expect(await service.stack.db.sourcePlace.count({ where: { topic } })).toBe(0);
    const audited = (await manage('GET', '/audit-logs')).body;
    expect(JSON.stringify(audited)).toContain('source.tested');
    expect(JSON.stringify(audited)).not.toMatch(/canary/);
  }, 90_000);

  test.each([
    ['a wrong password', { credentials: { ...KAFKA_USER, password: 'wrong' } }, /Kafka refused/],
    ['a topic that there is not', { config: { topics: ['nowhere'] } }, /./],
  ])(
    'a test of a source with %s fails in the words of the brokers',
    async (_what, { config, ...more }: Wrong, words) => {
      const topic = await createTopic();
      const { id } = await createSource(
        [topic],
        { eventType: { fixed: 'a.b' }, ...config },
        { ...more, isActive: false },
      );
      const { body } = await manage('POST', `/sources/${id}/test`);
      expect(body).toMatchObject({ outcome: 'failure', record: null, error: expect.stringMatching(words) });
      expect(JSON.stringify(body)).not.toMatch(/canary|"wrong"/);
    },
    60_000,
  );

  test('a source that stops is told of by an operational event', async () => {
    const [topic, eventType] = [await createTopic(), await createType()];
    await manage('POST', '/event-types', {
      name: 'posthorn.source.failing',
      publishIn: [service.workspace.environmentId],
    });
    await produce(topic, [{ headers: {} }]);
    const { id } = await createSource([topic], { eventType: { header: 'type' }, onError: 'stop' });
    await healthOf(id, 'stopped');
    expect(await read('posthorn.source.failing', 1)).toHaveLength(1);
    expect(await eventsOf(eventType)).toEqual([]);
  }, 90_000);

  test.each([
    [{ topics: [] }, 'config.topics must have 1 to 10 items'],
    [{ eventType: {} }, 'config.eventType must have header or pointer or fixed, and no other'],
    [{ eventType: { header: 'a', fixed: 'b' } }, 'config.eventType must have header or pointer or fixed'],
    [{ eventType: { pointer: 'a' } }, 'must be a JSON pointer'],
    [{ start: 'now' }, 'must be latest, earliest or an ISO 8601 date-time'],
    [{ brokers: ['10.0.0.1:9092'] }, 'must not point to a private or reserved address'],
    [{ tls: false }, 'config.tls must be true'],
    [{ saslMechanism: 'none' }, 'credentials.username is not used'],
    [{ group: 'a' }, 'Unknown field "config.group"'],
  ])('%j is refused: %s', async (config, words) => {
    const given = {
      brokers: ['a.example'],
      saslMechanism: 'plain',
      topics: ['a'],
      eventType: { fixed: 'a' },
      ...config,
    };
    const reply = await manage('POST', '/sources', { name: 'a', credentials: KAFKA_USER, config: given });
    expect([reply.status, reply.body.error?.code]).toEqual([400, 'validation_error']);
    expect(JSON.stringify(reply.body.error)).toContain(words.replaceAll('"', String.raw`\"`));
  });
});
