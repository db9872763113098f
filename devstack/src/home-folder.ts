import { accessSync, chmodSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Failure } from './failure.ts';

/**
 * Makes the home with its folder for logs, for its owner only, and returns the folder for logs. A place that this user
 * cannot write to is a Failure.
 */
export function makeHomeFolder(home: string): string {
  const logs = join(home, 'logs');
  try {
    refuseDataOfAnotherUser(home);
    makeFolder(logs);
    accessSync(home, constants.R_OK | constants.W_OK | constants.X_OK);
    chmodSync(home, 0o700);
    return logs;
  } catch (error) {
    throw new Failure(
      `POSTHORN_HOME, the folder ${home}, cannot be used: ${error instanceof Error ? error.message : error}`,
      'Name a folder that this user may make and write to: POSTHORN_HOME=/path/to/folder npm start',
      2,
    );
  }
}

/**
 * The data of root is outside of its homes, with a link (postgres-place.ts). A folder is the database of another user: root would
 * begin an empty one, and leave files that this user cannot read.
 */
function refuseDataOfAnotherUser(home: string): void {
  const data = lstatSync(join(home, 'postgres'), { throwIfNoEntry: false });
  if (process.getuid?.() === 0 && data?.isDirectory()) throw new Error('it has the database of a user who is not root');
}

/** Node's recursive mkdir never returns in a place such as /proc, so each folder is made by a call of its own. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}
