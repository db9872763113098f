import { fromId } from '@posthorn/contract/ids';
import type { Behaviour } from '../receivers.ts';
import type { Rig } from '../rig.ts';

const AT_A_TIME = 8;

export type Many = { eventType: string; prefix: string; count: number; behaviour?: Behaviour };

/** Endpoints that all get every event of one type; answers their names. */
export async function subscribeMany(rig: Rig, { eventType, prefix, count, behaviour }: Many): Promise<string[]> {
  const { client, environmentId } = rig;
  await client.call('POST', '/event-types', { name: eventType, publishIn: [environmentId] });
  const types = await client.call<{ id: string; name: string }[]>('GET', '/event-types');
  const eventTypeIds = types.body.filter(({ name }) => name === eventType).map(({ id }) => id);
  const names = Array.from({ length: count }, (_, n) => `${prefix}-${n}`);
  const left = [...names];
  const add = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      if (behaviour !== undefined) rig.receivers.respond(name, behaviour);
      const wanted = { url: rig.receivers.urlOf(name), environmentId };
      const { body } = await client.call<{ id: string }>('POST', '/endpoints', wanted);
      await client.call('POST', `/endpoints/${body.id}/subscriptions`, { eventTypeIds });
      rig.endpoints.push({ name, id: body.id, uuid: fromId('ep', body.id) ?? '', eventType });
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, add));
  return names;
}
