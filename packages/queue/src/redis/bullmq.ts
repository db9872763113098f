import { createRequire } from 'node:module';
import type * as Bullmq from 'bullmq';

/**
 * Loads BullMQ, a CommonJS module, with `require`. For an import, Node would first parse it and every module that it
 * re-exports for the names of exports: 170 files at every start.
 */
export const bullmq = createRequire(import.meta.url)('bullmq') as typeof Bullmq;
