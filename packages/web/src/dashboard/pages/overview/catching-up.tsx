import { Alert } from '@mantine/core';
import type { Stats } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { catchUpWords } from './catch-up-words.ts';

/** The deliveries that still wait after an outage of Posthorn. Empty if none do. */
export function CatchingUp({ catchingUp }: Pick<Stats, 'catchingUp'>) {
  if (catchingUp === null) return null;
  return (
    <Alert color="yellow" title="Posthorn was away, and is catching up" role="status">
      {catchUpWords(catchingUp, nowMs())}
    </Alert>
  );
}
