import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TransformationResult } from '../../client/resources.ts';
import { prettyJson } from '../pretty-json.ts';

/** Runs code on a payload, which is the typed JSON. Nothing is sent. */
export type RunTransformation = (code: string, payload: string) => Promise<TransformationResult>;

const PAUSE_MS = 500;

/** The result of the code for a payload. It runs when typing pauses, and when `run` is called. */
export function useRun(run: RunTransformation, typed: { code: string; payload: string; typeId: string }) {
  // Debounces the two texts, not `typed`: that is a new object at each render, so the pause would never end.
  const [code] = useDebouncedValue(typed.code, PAUSE_MS);
  const [payload] = useDebouncedValue(typed.payload, PAUSE_MS);
  const isAsked = prettyJson(payload) !== undefined;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['transformation run', typed.typeId, code, payload],
    queryFn: () => run(code, payload),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const isCurrent = code === typed.code && payload === typed.payload;
  return { answer: isAsked ? data : undefined, error, isRunning: isFetching || !isCurrent, run: refetch };
}
