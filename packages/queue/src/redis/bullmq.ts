import { createRequire } from 'node:module';
import type * as Bullmq from 'bullmq';

/**
 * BullMQ, which is CommonJS. Node parses a CommonJS module that is imported, and each module that it re-exports, for
 * the names of its exports, before it runs them: for BullMQ 170 files at every start. It does not for `require`.
 */
export const bullmq = createRequire(import.meta.url)('bullmq') as typeof Bullmq;
