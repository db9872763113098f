import { join } from 'node:path';
import { readIfThere, writePrivateFile } from './private-file.ts';
import { say } from './say.ts';

/**
 * Joins the authorities that the caller trusts (the file named by its NODE_EXTRA_CA_CERTS, if any) and the demo
 * receiver's own into one file, and returns its path: Node accepts only one file.
 */
export function writeCaBundle(home: string, own: string, callersFile: string | undefined): string {
  const callers = callersFile ? readIfThere(callersFile) : '';
  if (callers === undefined) say('start', `NODE_EXTRA_CA_CERTS names ${callersFile}, which does not exist: left out`);
  const path = join(home, 'ca-bundle.pem');
  writePrivateFile(path, [callers ?? '', own].map(endWithNewline).join(''));
  return path;
}

// Certificates that share a line cannot be read.
function endWithNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
