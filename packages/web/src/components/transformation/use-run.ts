import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { TransformationResult } from '../../client/resources.ts';
import { prettyJson } from '../pretty-json.ts';

/** Runs code for a payload, which is JSON as it was typed. Nothing is sent. */
export type RunTransformation = (code: string, payload: string) => Promise<TransformationResult>;

const PAUSE_MS = 500;

/** What code makes of a payload, run when typing pauses and when `run` is called. */
export function useRun(run: RunTransformation, typed: { code: string; payload: string; typeId: string }) {
  // The texts, and not `typed`: it is another object at each rendering, so each pause would begin the next one.
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
