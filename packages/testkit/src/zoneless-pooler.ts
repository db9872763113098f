import { startTcpGate, type TcpGate } from './tcp-gate.ts';

/**
 * The time zone of the servers that `npm test` starts. Its offset has minutes, so a session that depends on it fails.
 */
export const SERVER_ZONE = 'America/St_Johns';

/** Acts as a pooler that drops the startup parameter TimeZone, as a pooler that does not know it does. */
export function startZonelessPooler(databaseUrl: string): Promise<TcpGate> {
  return startTcpGate(databaseUrl, {
    inspect() {
      let isFirst = true;
      return {
        toTarget(chunk) {
          // The packet begins with its length, so the parameter is overwritten with an unknown one of the same length.
          if (isFirst) chunk.write('a.ignore', chunk.indexOf('TimeZone'));
          isFirst = false;
          return true;
        },
        fromTarget: () => true,
      };
    },
  });
}
