import { settingsOrExit } from '@posthorn/runtime/env';
import { startProcess } from '@posthorn/runtime/start-process';
import { readConfig } from './config.ts';
import { createMetrics } from './metrics.ts';
import { startApi } from './start-api.ts';
import { TIMING } from './timing.ts';

const settings = settingsOrExit(readConfig);
const metrics = createMetrics();
const { registry } = metrics;
const own = startProcess({ service: 'api', settings, registry, stopDeadlineMs: TIMING.stopDeadlineMs });
await startApi(settings, { ...own, metrics });
