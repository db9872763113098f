import type { Endpoint, EndpointConfig } from '../../../client/resources.ts';
import { isStandard, type Signature, signatureOf } from '../../../components/request/signatures.ts';
import { readSchedule, scheduleText } from './retry-schedule.ts';

/** The settings as one types them; an empty number is the default. */
export type ConfigDraft = {
  url: string;
  description: string;
  timeoutSeconds: number | '';
  limit: number | '';
  periodSeconds: number | '';
  maxConcurrency: number | '';
  payloadFormat: NonNullable<EndpointConfig['payloadFormat']>;
  signature: Signature;
  isFifo: boolean;
  hasOwnSchedule: boolean;
  schedule: string;
  /** One header in each line: `Name: value`. */
  headers: string;
};

export function draftOf({ url, description, config }: Endpoint): ConfigDraft {
  return {
    url,
    description,
    timeoutSeconds: config.timeoutSeconds ?? '',
    limit: config.rateLimit?.limit ?? '',
    periodSeconds: config.rateLimit?.periodSeconds ?? '',
    maxConcurrency: config.maxConcurrency ?? '',
    payloadFormat: config.payloadFormat ?? 'raw',
    signature: signatureOf(config),
    isFifo: config.ordering === 'fifo',
    hasOwnSchedule: config.retrySchedule !== undefined,
    schedule: scheduleText(config.retrySchedule ?? []),
    headers: Object.entries(config.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
  };
}

/** Fields that say something only together. */
const TOGETHER: readonly (readonly string[])[] = [
  ['limit', 'periodSeconds'],
  ['hasOwnSchedule', 'schedule'],
];

/** The draft with what was typed since `start`. Somebody else may have changed the other fields, so these are as in `now`. */
export function rebased(draft: ConfigDraft, start: ConfigDraft, now: ConfigDraft): ConfigDraft {
  const before = new Map<string, unknown>(Object.entries(start));
  const changed = Object.entries(draft)
    .filter(([name, value]) => before.get(name) !== value)
    .map(([name]) => name);
  const isTyped = (name: string) =>
    (TOGETHER.find((names) => names.includes(name)) ?? [name]).some((one) => changed.includes(one));
  return { ...now, ...Object.fromEntries(Object.entries(draft).filter(([name]) => isTyped(name))) };
}

/** The config of a draft. Keys that the form does not know stay as they were. The service checks the rest. */
export function configOf(draft: ConfigDraft, before: EndpointConfig): EndpointConfig {
  const {
    timeoutSeconds,
    rateLimit,
    maxConcurrency,
    payloadFormat,
    signature,
    standardHeaders,
    ordering,
    retrySchedule,
    ...others
  } = before;
  const { headers, ...rest } = others;
  const schedule = readSchedule(draft.schedule);
  const typed = headersOf(draft.headers);
  return {
    ...rest,
    ...(draft.timeoutSeconds !== '' && { timeoutSeconds: draft.timeoutSeconds }),
    ...(draft.limit !== '' && { rateLimit: { limit: draft.limit, periodSeconds: draft.periodSeconds || 1 } }),
    ...(draft.maxConcurrency !== '' && { maxConcurrency: draft.maxConcurrency }),
    ...(draft.payloadFormat !== 'raw' && { payloadFormat: draft.payloadFormat }),
    ...(draft.signature !== 'standard' && { signature: draft.signature }),
    // A standard signature cannot be without its headers.
    ...(standardHeaders !== undefined && !isStandard(draft.signature) && { standardHeaders }),
    ...(draft.isFifo && { ordering: 'fifo' as const }),
    ...(draft.hasOwnSchedule && schedule.kind === 'schedule' && { retrySchedule: schedule.seconds }),
    ...(Object.keys(typed).length > 0 && { headers: typed }),
  };
}

/** The headers of typed lines. A line without a colon is a name with an empty value, which the service judges. */
export function headersOf(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return colon === -1 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}
