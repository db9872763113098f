import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { t } from '../../language/language.ts';
import { jsonSample, type Sample, type Samples } from './samples.ts';

/** The current sample: first the type's example, then the payload of a chosen event, or a typed one. */
export function useSample({ example, recent, read, texts }: Samples) {
  const [typed, setTyped] = useState<string | null>(null);
  const load = useMutation({
    mutationFn: async (eventId: string): Promise<Sample> => {
      const payload = await read(eventId);
      if (payload === null || payload.body === null) {
        throw new Error(payload === null ? t('There is no payload.') : texts.payloads[payload.status]);
      }
      const event = recent.find(({ id }) => id === eventId) ?? null;
      return { text: payload.body, isBase64: payload.encoding === 'base64', contentType: payload.contentType, event };
    },
  });
  const { mutate, reset } = load;
  const loaded = load.data ?? jsonSample(example);
  const choose = (eventId: string | null) => {
    setTyped(null);
    if (eventId === null) reset();
    else mutate(eventId);
  };
  return {
    sample: typed === null ? loaded : jsonSample(typed),
    isTyped: typed !== null,
    type: setTyped,
    /** Selects the payload of an event; null selects the example. */
    choose,
    chosen: load.variables ?? null,
    isLoading: load.isPending,
    error: load.error,
  };
}
