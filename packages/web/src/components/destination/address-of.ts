import type { Endpoint } from '../../client/resources.ts';

/** Where messages go, in words for people: the URL, or the target of an endpoint that is a broker or a store. */
export function addressOf({ url, target, config }: Pick<Endpoint, 'url' | 'target' | 'config'>): string {
  return config.destination === undefined ? url : target;
}
