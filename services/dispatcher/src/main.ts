import { settingsOrExit } from '@posthorn/runtime/env';
import { startProcess } from '@posthorn/runtime/start-process';
import { readConfig } from './config.ts';
import { createMetrics } from './metrics.ts';
import { startDispatcher } from './start-dispatcher.ts';
import { TIMING } from './timing.ts';

const settings = settingsOrExit(readConfig);
const metrics = createMetrics();
const { registry } = metrics;
const own = startProcess({ service: 'dispatcher', settings, registry, stopDeadlineMs: TIMING.stopDeadlineMs });
await startDispatcher(settings, { ...own, metrics });
