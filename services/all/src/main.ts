import { createMetrics } from '@posthorn/api/metrics';
import { TIMING } from '@posthorn/dispatcher/timing';
import { settingsOrExit } from '@posthorn/runtime/env';
import { startProcess } from '@posthorn/runtime/start-process';
import { readConfig } from './config.ts';
import { startAll } from './start-all.ts';

const settings = settingsOrExit(readConfig);
const metrics = createMetrics();
const { registry } = metrics;
const own = startProcess({ service: 'all', settings: settings.api, registry, stopDeadlineMs: TIMING.stopDeadlineMs });
await startAll(settings, { ...own, metrics });
