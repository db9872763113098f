import { FAILURE_WORDS } from './failure-words.ts';

/** A subject, and what the tables say about it now. */
export type Described = {
  facts: Record<string, unknown>;
  count: number;
  /** The URL of the endpoint, and its customer; null if the subject belongs to no endpoint. */
  endpoint: { url: string; customer: string | null } | null;
  /** The number of deliveries that wait for the endpoint, up to 10,000. */
  waiting: number;
  /** Why the last attempt failed, in words; null if that is not known. */
  reason: string | null;
};

/** The words of a message: a title, and one line for each subject. */
export type AlertWords = { title: string; lines: string[] };

/** The subjects that a message does not name one by one. */
export type More = {
  count: number;
  /** Whether there may be even more. */
  isLeast: boolean;
  /** The customers with the most of them. */
  customers: readonly { name: string; count: number }[];
  /** The number of customers that have the others. */
  otherCustomers: number;
};

type Given = { eventType: string; subjects: readonly Described[]; more: More | null; now: Date };

/** The words of a message, for a person who knows no codes. */
export function alertWords({ eventType, subjects, more, now }: Given): AlertWords {
  const lines = subjects.map((subject) => lineOf(eventType, subject, now));
  const [first = ''] = lines;
  const title = lines.length === 1 && more === null ? titleOf(eventType, subjects[0]) : TITLES[eventType]?.many;
  return { title: title ?? first, lines: more === null ? lines : [...lines, moreOf(more)] };
}

/**
 * `And 37 more: 20 of Acme, 12 of Beta, others of 2 other customers.` Subjects without a customer count only in the
 * number.
 */
function moreOf({ count, isLeast, customers, otherCustomers }: More): string {
  const number = `And ${isLeast ? 'at least ' : ''}${count.toLocaleString('en')} more`;
  const named = customers.map(({ name, count: ofCustomer }) => `${ofCustomer.toLocaleString('en')} of ${name}`);
  if (otherCustomers > 0) named.push(`others of ${counted(otherCustomers, 'other customer')}`);
  return named.length === 0 ? `${number}.` : `${number}: ${named.join(', ')}.`;
}

const TITLES: Record<string, { one: string; many: string }> = {
  'posthorn.endpoint.failing': { one: 'An endpoint stopped answering', many: 'Endpoints stopped answering' },
  'posthorn.endpoint.recovered': { one: 'An endpoint answers again', many: 'Endpoints answer again' },
  'posthorn.endpoint.disabled': { one: 'An endpoint was deactivated', many: 'Endpoints were deactivated' },
  'posthorn.delivery.dead_letter': { one: 'Deliveries were given up', many: 'Deliveries were given up' },
  'posthorn.delivery.failed': { one: 'Deliveries ended early', many: 'Deliveries ended early' },
  'posthorn.operation.completed': { one: 'An operation is finished', many: 'Operations are finished' },
  'posthorn.api_key.expiring': { one: 'An API key ends soon', many: 'API keys end soon' },
  'posthorn.source.failing': { one: 'A source needs you', many: 'Sources need you' },
  'posthorn.source.recovered': { one: 'A source reads again', many: 'Sources read again' },
};

function titleOf(eventType: string, subject: Described | undefined): string | undefined {
  const title = TITLES[eventType]?.one;
  const customer = subject?.endpoint?.customer;
  return title && customer ? `${title}: ${customer}` : title;
}

function lineOf(eventType: string, subject: Described, now: Date): string {
  switch (eventType) {
    case 'posthorn.endpoint.failing':
      return `${nameOf(subject)} stopped answering${since(subject.facts.failingSince, now)}${because(subject)}.${waitingOf(subject, 'wait')}`;
    case 'posthorn.endpoint.recovered':
      return `${nameOf(subject)} answers again.${waitingOf(subject, 'are being delivered')}`;
    case 'posthorn.endpoint.disabled':
      return `${nameOf(subject)} was deactivated: ${DISABLED[String(subject.facts.disabledReason)] ?? 'see its page'}. It gets no more events.`;
    case 'posthorn.delivery.dead_letter':
      return `${deliveriesOf(subject)} to ${nameOf(subject, 'endpoint')} ${subject.count === 1 ? 'was' : 'were'} given up${because(subject)}.`;
    case 'posthorn.delivery.failed':
      return `${deliveriesOf(subject)} to ${nameOf(subject, 'endpoint')} ended early: ${FAILURE_WORDS[String(subject.facts.failureReason)] ?? 'see the delivery'}.`;
    case 'posthorn.operation.completed':
      return operationOf(subject);
    case 'posthorn.api_key.expiring':
      return `The API key “${String(subject.facts.name)}” stops working ${untilOf(subject.facts.expiresAt, now)}.`;
    case 'posthorn.source.failing':
      return sourceTroubleOf(subject, now);
    case 'posthorn.source.recovered':
      return `The source “${String(subject.facts.name)}” reads its topics again.`;
    default:
      return eventType;
  }
}

function nameOf({ endpoint }: Described, word = 'Endpoint'): string {
  if (endpoint === null) return `An ${word.toLowerCase()}`;
  return `${word} ${endpoint.url}${endpoint.customer === null ? '' : ` of ${endpoint.customer}`}`;
}

function because({ reason }: Described): string {
  return reason === null ? '' : `: ${reason}`;
}

function waitingOf({ waiting }: Described, verb: string): string {
  if (waiting === 0) return '';
  if (waiting === 1) return ` One event ${verb === 'wait' ? 'waits' : 'is being delivered'}.`;
  return ` ${waiting >= 10_000 ? 'At least 10,000' : waiting.toLocaleString('en')} events ${verb}.`;
}

function deliveriesOf({ count }: Described): string {
  return count === 1 ? 'A delivery' : `${count.toLocaleString('en')} deliveries`;
}

const DISABLED: Record<string, string> = {
  manual: 'somebody switched it off',
  failing: 'every attempt had failed for five days',
  gone: 'it answered 410 Gone',
  receiver: 'its receiver asked for it',
};

const OPERATIONS: Record<string, string> = {
  recovery: 'The recovery',
  retry: 'The retry of many deliveries',
  cancel: 'The cancel of many deliveries',
  erasure: 'The erasure',
  search_index: 'The indexing of older events',
};

function operationOf({ facts, endpoint }: Described): string {
  const name = OPERATIONS[String(facts.operationType)] ?? 'The operation';
  const of = endpoint === null ? '' : ` of ${endpoint.url}`;
  const [matched, delivered, failed] = [facts.matched, facts.delivered, facts.failed].map(Number);
  const counts =
    facts.operationType === 'recovery' || facts.operationType === 'retry'
      ? ` ${delivered} of ${matched} were delivered, ${failed} failed.`
      : ` ${matched} matched.`;
  return `${name}${of} is finished.${counts}`;
}

/** Without an error, the source is being read, but too slowly. */
function sourceTroubleOf({ facts }: Described, now: Date): string {
  const since = typeof facts.failingSince === 'string' ? new Date(facts.failingSince).getTime() : Number.NaN;
  const span = Number.isNaN(since) ? '' : ` for ${spanOf(now.getTime() - since)}`;
  const words: Record<string, string> = { stopped: 'has stopped', failing: `has been failing${span}` };
  const what = words[String(facts.status)] ?? `has been behind${span}`;
  const lag = Number(facts.lagRecords ?? 0);
  const waiting = lag === 0 ? '' : ` ${counted(lag, 'record')} ${lag === 1 ? 'waits' : 'wait'}.`;
  return `The source “${String(facts.name)}” ${what}${typeof facts.error === 'string' ? `: ${facts.error}` : ''}.${waiting}`;
}

/** ` 12 minutes ago`; empty if the time is not known. */
function since(at: unknown, now: Date): string {
  const time = typeof at === 'string' ? new Date(at).getTime() : Number.NaN;
  return Number.isNaN(time) ? '' : ` ${spanOf(now.getTime() - time)} ago`;
}

function untilOf(at: unknown, now: Date): string {
  const time = typeof at === 'string' ? new Date(at).getTime() : Number.NaN;
  return Number.isNaN(time) ? 'soon' : `in ${spanOf(time - now.getTime())}`;
}

function spanOf(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return counted(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return hours < 48 ? counted(hours, 'hour') : counted(Math.round(hours / 24), 'day');
}

function counted(count: number, unit: string): string {
  return `${count.toLocaleString('en')} ${unit}${count === 1 ? '' : 's'}`;
}
