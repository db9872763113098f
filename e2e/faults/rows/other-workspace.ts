import { fromId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { createIngest } from '@posthorn/testkit/ingest-client';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { createLoad, type Load, type Target } from '../load.ts';
import type { Random } from '../random.ts';
import { type Behaviour, hashOf } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';

/** A second workspace, whose events are judged like those of the rig. */
export type OtherWorkspace = SeededWorkspace & {
  client: ApiClient;
  load: Load;
  addEndpoint: (options: { name: string; config?: object; behaviour?: Behaviour }) => Promise<Endpoint>;
};

export async function addOtherWorkspace(rig: Rig, random: Random): Promise<OtherWorkspace> {
  const seeded = await seedWorkspace(rig.db);
  const client = createApiClient({ ...seeded, baseUrl: rig.apis[0]?.url ?? '' });
  const targets: Target[] = [];
  const load = createLoad({
    apis: () => rig.apis,
    apiKey: seeded.apiKey,
    targets: () => targets,
    random: random.fork('other'),
    sent: rig.load.sent,
  });
  return {
    ...seeded,
    client,
    load,
    async addEndpoint({ name, config, behaviour }) {
      if (behaviour !== undefined) rig.receivers.respond(name, behaviour);
      const eventType = `load.${name.replaceAll('-', '_')}`;
      const wanted = { url: rig.receivers.urlOf(name), eventType, ...(config === undefined ? {} : { config }) };
      const { endpointId: id } = await client.subscribeEndpoint(wanted);
      const endpoint = { name, id, uuid: fromId('ep', id) ?? '', eventType };
      rig.endpoints.push(endpoint);
      targets.push({ eventType, endpoints: [name] });
      return endpoint;
    },
  };
}

const BATCH = 100;
const AT_A_TIME = 4;

/** Sends events in batches, as fast as the APIs accept them. Each batch goes to the next target. */
export async function sendBatches(
  rig: Rig,
  { apiKey, targets, events }: { apiKey: string; targets: readonly Target[]; events: number },
): Promise<void> {
  let begun = 0;
  const send = async (ingest: ReturnType<typeof createIngest>) => {
    while (begun < events) {
      const from = begun;
      begun += BATCH;
      const { eventType, endpoints } = targets[(from / BATCH) % targets.length] ?? { eventType: '', endpoints: [] };
      const datas = Array.from({ length: Math.min(BATCH, events - from) }, (_, n) => `{"flood":${from + n}}`);
      const items = datas.map((data) => `{"eventType":"${eventType}","data":${data}}`);
      const reply = await ingest('batch', `{"events":[${items.join(',')}]}`);
      if (reply.status !== 202) throw new Error(`a batch was refused with ${reply.status}`);
      const acceptedAtMs = Date.now();
      const results = reply.body.results as { id?: string }[];
      for (const [index, data] of datas.entries()) {
        const eventId = results[index]?.id;
        if (eventId === undefined) throw new Error(`an event was refused: ${JSON.stringify(results[index])}`);
        rig.load.sent.push({ hash: hashOf(data), endpoints, eventId, acceptedAtMs });
      }
    }
  };
  const producers = Array.from({ length: AT_A_TIME }, (_, n) => {
    const api = { url: rig.apis[n % rig.apis.length]?.url ?? '' };
    return send(createIngest({ api, apiKey }));
  });
  await Promise.all(producers);
}
