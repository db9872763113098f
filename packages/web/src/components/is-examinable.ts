import type { Endpoint } from '../client/resources.ts';

/**
 * True if an endpoint can be examined (docs/interface/endpoints.md, Doctor): it sends to a broker or a store, or to a
 * server, whose target is its URL.
 */
export function isExaminable({ url, target, config }: Pick<Endpoint, 'url' | 'target' | 'config'>): boolean {
  return config.destination !== undefined || target === url;
}
