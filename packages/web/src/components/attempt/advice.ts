import type { Attempt } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import type { ReaderTexts } from '../reader-texts.ts';

/** What happened in one sentence, and advice on what to do about it. */
export type Verdict = { said: string; advice: string };

type Judged = Pick<
  Attempt,
  | 'trigger'
  | 'outcome'
  | 'errorCode'
  | 'errorMessage'
  | 'responseStatus'
  | 'responseHeaders'
  | 'url'
  | 'timings'
  | 'remoteAddress'
>;

/** The verdict of an attempt, in texts for its reader. */
export function verdictOf(attempt: Judged, texts: ReaderTexts): Verdict {
  if (attempt.outcome === 'success') {
    // A broker acknowledges a message without a status.
    if (attempt.responseStatus === null) return { said: t('The other side has the message.'), advice: '' };
    return {
      said: t(`The endpoint answered {status}. The ${texts.noun} is delivered.`, {
        status: `${attempt.responseStatus}`,
      }),
      advice: '',
    };
  }
  const { errorCode, errorMessage, responseStatus } = attempt;
  if (errorCode === 'http_status' && responseStatus !== null) {
    const wait = retryAfter(attempt);
    const status = `${responseStatus}`;
    const said =
      wait === null
        ? t('The endpoint answered {status}.', { status })
        : t('The endpoint answered {status} and asked to wait {wait}.', { status, wait });
    return { said, advice: wait === null || attempt.trigger === 'test' ? statusAdvice(attempt, texts) : WAITS };
  }
  const said = errorMessage ?? t('The attempt failed.');
  return { said, advice: texts.errors[isUnconnected(attempt) ? 'connection_refused' : (errorCode ?? 'internal')] };
}

/** The wait after a `Retry-After`. It is conditional: the last attempt and a test have no next one. */
const WAITS = t('If there is a next attempt, it waits that long, at most a day.');

function statusAdvice({ responseStatus, trigger }: Judged, { statuses, errors }: ReaderTexts): string {
  const status = responseStatus ?? 0;
  if (status >= 300 && status < 400) return t('Redirects are not followed. Set the endpoint’s URL to where it leads.');
  if (status >= 500) return t('The receiver failed. Look into its logs; the answer’s body below may name the fault.');
  if (status === 410 && trigger === 'test') return GONE_IN_TEST;
  return statuses[status] ?? errors.http_status;
}

const GONE_IN_TEST = t(
  'The receiver says that it is gone for good. A test changes nothing, but any other request with this answer deactivates the endpoint.',
);

/**
 * True if the time ran out before the connection (including TLS) was ready. The receiver could not have answered
 * sooner.
 */
function isUnconnected({ errorCode, remoteAddress, url, timings }: Judged): boolean {
  if (errorCode !== 'timeout') return false;
  // A reused connection has neither time. A new connection has `connectMs` before `tlsMs`.
  const endedInTls = url.startsWith('https:') && timings.connectMs !== null && timings.tlsMs === null;
  return remoteAddress === null || endedInTls;
}

function retryAfter({ responseStatus, responseHeaders }: Judged): string | null {
  const [header] = [responseHeaders?.['retry-after']].flat();
  if (responseStatus !== 429 && responseStatus !== 503) return null;
  if (typeof header !== 'string' || header === '') return null;
  return /^\d{1,9}$/.test(header) ? `${header} s` : t('until {header}', { header });
}
