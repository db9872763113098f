import { freePort, isFree } from '@posthorn/testkit/free-port';
import { Failure } from './failure.ts';
import { say } from './say.ts';

/** The port that an instance gets if its user has chosen none, if it is free. */
const USUAL_PORT = 3_000;
const TRIED = 100;

/**
 * The port of the API. A port that the user chose is used or is a Failure; 0 is any free one. Without a choice, it is
 * the first free port from the usual one on, and the user is told when that is another.
 */
export async function choosePort(chosen: number | undefined, usual = USUAL_PORT): Promise<number> {
  if (chosen === 0) return await freePort();
  if (chosen !== undefined) {
    if (await isFree(chosen)) return chosen;
    throw new Failure(
      `Port ${chosen} is in use, or this user may not listen on it.`,
      `Choose another: PORT=${chosen + 1} npm start`,
    );
  }
  for (let port = usual; port < usual + TRIED; port += 1) {
    if (!(await isFree(port))) continue;
    if (port !== usual) say('start', `port ${usual} is in use: this instance uses ${port}. PORT chooses another.`);
    return port;
  }
  throw new Failure(
    `The ports ${usual} to ${usual + TRIED - 1} are all in use.`,
    'Choose another: PORT=8080 npm start',
  );
}
