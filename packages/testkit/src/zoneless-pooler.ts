import { startTcpGate, type TcpGate } from './tcp-gate.ts';

/** The zone of the servers that `npm test` starts: no session may depend on it. Its offset has minutes. */
export const SERVER_ZONE = 'America/St_Johns';

/** Stands for a pooler that drops the startup parameter TimeZone, as one that does not know it does. */
export function startZonelessPooler(databaseUrl: string): Promise<TcpGate> {
  return startTcpGate(databaseUrl, {
    inspect() {
      let isFirst = true;
      return {
        toTarget(chunk) {
          // The packet begins with its length, so the parameter becomes one without a meaning, as long as before.
          if (isFirst) chunk.write('a.ignore', chunk.indexOf('TimeZone'));
          isFirst = false;
          return true;
        },
        fromTarget: () => true,
      };
    },
  });
}
