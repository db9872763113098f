// Reads the API's settings and ends: exit code 0, or 1 with every fault on stderr. `npm start` runs it before it keeps
// a setting or starts a store.
import { settingsOrExit } from '@posthorn/runtime/env';
import { readConfig } from './config.ts';

settingsOrExit(readConfig);
