import type { EndpointConfig } from '../../client/resources.ts';

/** The limits of an endpoint, such as `at most 5 attempts in 1 s`; null without one. */
export function limitWords({ rateLimit, maxConcurrency }: EndpointConfig): string | null {
  const limits = [
    ...(rateLimit === undefined ? [] : [`at most ${attempts(rateLimit.limit)} in ${rateLimit.periodSeconds} s`]),
    ...(maxConcurrency === undefined ? [] : [`at most ${attempts(maxConcurrency)} at once`]),
  ];
  return limits.length === 0 ? null : limits.join(', and ');
}

function attempts(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'attempt' : 'attempts'}`;
}
