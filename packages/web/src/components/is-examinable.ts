import type { Endpoint } from '../client/resources.ts';

/**
 * Whether an endpoint can be examined (docs/interface/endpoints.md, Doctor): it has a broker or a store, or it is a
 * server, whose target is its URL.
 */
export function isExaminable({ url, target, config }: Pick<Endpoint, 'url' | 'target' | 'config'>): boolean {
  return config.destination !== undefined || target === url;
}
