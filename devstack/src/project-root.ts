import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's top folder, seen from devstack/src as from devstack/dist. */
export const projectRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
