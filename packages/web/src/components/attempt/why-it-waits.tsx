import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Delivery, Endpoint } from '../../client/resources.ts';
import { rich, t } from '../../language/language.ts';
import { type Noun, pluralOf } from '../operation/operation-words.ts';
import { limitWords } from './limit-words.ts';

type Props = {
  delivery: Pick<Delivery, 'status' | 'nextRetryAt' | 'waitingFor'>;
  /** The delivery's endpoint as it is now; undefined if unknown. Only a deferred delivery needs it. */
  endpoint: Pick<Endpoint, 'health' | 'config'> | undefined;
  /** The reader's word for a delivery. */
  noun: Noun;
  /** Makes a link to a delivery. */
  link: (deliveryId: string, words: string) => ReactNode;
};

/** The refetch interval for the endpoint of a deferred delivery. */
export const ENDPOINT_EVERY_MS = 10_000;

/** True if a delivery waits although its first attempt, or the retry that somebody asked for, is due. */
export function isDeferred({ status, nextRetryAt }: Pick<Delivery, 'status' | 'nextRetryAt'>): boolean {
  return status === 'pending' && nextRetryAt !== null;
}

/** Why a delivery waits, if the service tells: for its turn, or because of its endpoint. */
export function WhyItWaits({ delivery, endpoint, noun, link }: Props) {
  const { waitingFor } = delivery;
  return (
    <>
      {waitingFor === null ? null : (
        <Alert>
          {rich(
            `It waits for its turn: the ${pluralOf(noun)} of its ordering key are sent one after the other. {link}`,
            {
              link: link(waitingFor, t(`See the ${noun} that it waits for`)),
            },
          )}
        </Alert>
      )}
      {endpoint !== undefined && isDeferred(delivery) ? <HeldBack endpoint={endpoint} noun={noun} /> : null}
    </>
  );
}

/**
 * The API does not tell whether the breaker is open or which limit was reached, so this shows what may be the cause.
 */
function HeldBack({ endpoint: { health, config }, noun }: { endpoint: NonNullable<Props['endpoint']>; noun: Noun }) {
  if (health === 'failing') {
    return (
      <Alert color="yellow">
        {t(
          `The endpoint is failing. While its circuit breaker is open, one ${noun} is tried at intervals, and the others wait until one succeeds.`,
        )}
      </Alert>
    );
  }
  const limits = limitWords(config);
  if (limits === null) return null;
  return (
    <Alert>
      {t(`The endpoint has a limit: {limits}. A ${noun} above the limit waits, and spends no attempt.`, { limits })}
    </Alert>
  );
}
