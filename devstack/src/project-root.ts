import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's top folder. The path is the same from devstack/src and from devstack/dist. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
