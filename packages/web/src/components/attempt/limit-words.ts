import type { EndpointConfig } from '../../client/resources.ts';
import { counted, t } from '../../language/language.ts';

/** The limits of an endpoint, such as `at most 5 attempts in 1 s`; null without one. */
export function limitWords({ rateLimit, maxConcurrency }: EndpointConfig): string | null {
  const limits = [
    ...(rateLimit === undefined
      ? []
      : [
          t('at most {attempts} in {seconds} s', {
            attempts: attempts(rateLimit.limit),
            seconds: rateLimit.periodSeconds,
          }),
        ]),
    ...(maxConcurrency === undefined ? [] : [t('at most {attempts} at once', { attempts: attempts(maxConcurrency) })]),
  ];
  return limits.length === 0 ? null : limits.join(t(', and '));
}

function attempts(count: number): string {
  return counted(count, '{count} attempt', '{count} attempts');
}
