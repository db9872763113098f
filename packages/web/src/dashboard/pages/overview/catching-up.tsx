import { Alert } from '@mantine/core';
import type { Stats } from '../../../client/resources.ts';
import { nowMs } from '../../../clock.ts';
import { catchUpWords } from './catch-up-words.ts';

/** What still waits because of an outage of Posthorn; nothing without one. */
export function CatchingUp({ catchingUp }: Pick<Stats, 'catchingUp'>) {
  if (catchingUp === null) return null;
  return (
    <Alert color="yellow" title="Posthorn was away, and is catching up" role="status">
      {catchUpWords(catchingUp, nowMs())}
    </Alert>
  );
}
