// Reads the dispatcher's settings, and exits with 0, or with 1 and every fault on stderr. `npm start` runs it before it
// keeps a setting or starts a store.
import { settingsOrExit } from '@posthorn/runtime/env';
import { readConfig } from './config.ts';

settingsOrExit(readConfig);
