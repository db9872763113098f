import type { UseFormReturnType } from '@mantine/form';
import type { EndpointConfig } from '../../../client/resources.ts';
import { type DraftOf, field, number, pairs, plain } from '../../../components/draft.ts';
import { REQUEST } from '../../../components/request/signatures.ts';
import { readSchedule, scheduleText } from './retry-schedule.ts';

/** The form's fields for an endpoint. An empty number means the default. */
export const ENDPOINT = {
  url: plain,
  description: plain,
  config: {
    ...REQUEST,
    timeoutSeconds: number,
    rateLimit: field<EndpointConfig['rateLimit'], { limit: number | string; periodSeconds: number | string }>(
      (value) => ({ limit: value?.limit ?? '', periodSeconds: value?.periodSeconds ?? '' }),
      ({ limit, periodSeconds }) =>
        limit === '' ? undefined : { limit: Number(limit), periodSeconds: Number(periodSeconds) || 1 },
    ),
    maxConcurrency: number,
    catchUp: field<EndpointConfig['catchUp'], boolean>(
      (value) => value === 'at-once',
      (isAtOnce) => (isAtOnce ? 'at-once' : undefined),
    ),
    ordering: field<EndpointConfig['ordering'], boolean>(
      (value) => value === 'fifo',
      (isFifo) => (isFifo ? 'fifo' : undefined),
    ),
    retrySchedule: field<number[], { isOwn: boolean; text: string }>(
      (value) => ({ isOwn: value !== undefined, text: scheduleText(value ?? []) }),
      ({ isOwn, text }) => {
        const typed = readSchedule(text);
        return isOwn && typed.kind === 'schedule' ? typed.seconds : undefined;
      },
    ),
    headers: pairs,
  },
};

export type EndpointForm = UseFormReturnType<DraftOf<typeof ENDPOINT>>;
