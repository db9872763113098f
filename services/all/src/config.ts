import { readConfig as readApiConfig } from '@posthorn/api/config';
import { readConfig as readDispatcherConfig } from '@posthorn/dispatcher/config';

export type Config = { api: ReturnType<typeof readApiConfig>; dispatcher: ReturnType<typeof readDispatcherConfig> };

/** The API works in this process, too, so fewer attempts run at a time. */
const DEFAULTS = { DELIVERY_CONCURRENCY: '100' };

/** Reads the settings of both services. For some, the API has a different default. Throws SettingsError. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const defaults = Object.entries(DEFAULTS).filter(([name]) => set[`${name}_FILE`] === undefined);
  return { api: readApiConfig(set), dispatcher: readDispatcherConfig({ ...Object.fromEntries(defaults), ...set }) };
}
