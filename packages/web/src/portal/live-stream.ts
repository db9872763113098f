import { client } from '../client/api.ts';
import type { Watch } from '../components/live/use-live-rows.ts';
import { watchStream } from '../components/live/watch-stream.ts';

/** The live view of the session, or of one of its endpoints. */
export function watchPortal(endpointId: string | undefined): Watch {
  const query = endpointId === undefined ? {} : { endpoint_id: endpointId };
  return watchStream((signal) => client.GET('/api/portal/live', { params: { query }, parseAs: 'stream', signal }));
}
