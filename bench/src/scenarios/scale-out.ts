import type { Figure } from '../figures.ts';
import { burst, together, WARM_UP_SECONDS } from '../flat-out.ts';
import { ingestAt, managementOf, oneEndpointEach } from '../management.ts';
import { type Receivers, startReceivers } from '../receivers.ts';
import type { Context, Outcome, Scenario } from '../scenario.ts';
import type { ServiceProcess } from '../service-process.ts';
import { type Stack, withStack } from '../stack.ts';

const APIS = [1, 2];
const DISPATCHERS = [1, 2, 4];

export const scaleOut: Scenario = {
  name: 'scale-out',
  what: 'end to end with 1, 2 and 4 dispatchers and 1 and 2 APIs; no increase if the machine has too few cores',
  run: (context) => withStack(context, (stack) => measure(context, stack)),
};

async function measure({ seconds, say }: Context, stack: Stack): Promise<Outcome> {
  const receivers = await startReceivers(10, stack.tls);
  try {
    const figures: Figure[] = [];
    const bars: { name: string; value: number }[] = [];
    const services: Services = { apis: [await stack.startApi()], dispatchers: [] };
    const manage = managementOf(services.apis[0] ?? { url: '' }, stack);
    const urls = receivers.origins.map((origin) => `${origin}/hook`);
    const { ingest } = await oneEndpointEach(manage, { stack, apis: services.apis, urls, name: 'healthy' });
    for (const apis of APIS) {
      for (const dispatchers of DISPATCHERS) {
        const name = `${dispatchers} × dispatcher, ${apis} × API`;
        say(name);
        await grow(services, { stack, apis, dispatchers });
        const measured = await flatOut(services, { stack, receivers, seconds: seconds / 2, paths: ingest.paths });
        const cpu = [...measured.cpuPerEvent.values()].reduce((sum, used) => sum + used, 0);
        figures.push(
          { figure: `delivered, ${name}`, value: measured.deliveredPerSecond, unit: '/s' },
          { figure: `CPU of all, an event, ${name}`, value: cpu, unit: 'µs' },
        );
        bars.push({ name, value: measured.deliveredPerSecond });
      }
      await Promise.all(services.dispatchers.splice(0).map((dispatcher) => dispatcher.end('SIGKILL')));
    }
    const title = 'Deliveries per second end to end, by processes';
    return { figures, plot: { kind: 'bars', title, unit: '/s', bars } };
  } finally {
    await receivers.close();
  }
}

type Services = { apis: ServiceProcess[]; dispatchers: ServiceProcess[] };

/** Starts the missing processes. The others keep running. */
async function grow(
  services: Services,
  { stack, apis, dispatchers }: { stack: Stack; apis: number; dispatchers: number },
): Promise<void> {
  while (services.apis.length < apis) services.apis.push(await stack.startApi());
  while (services.dispatchers.length < dispatchers) services.dispatchers.push(await stack.startDispatcher());
}

type FlatOut = { stack: Stack; receivers: Receivers; seconds: number; paths: readonly string[] };

async function flatOut({ apis, dispatchers }: Services, { stack, receivers, seconds, paths }: FlatOut) {
  const ingest = ingestAt(stack, apis, paths);
  const processes = [...apis, ...dispatchers, ...stack.stores];
  await burst({ ingest, receivers, seconds: WARM_UP_SECONDS / 2, processes });
  return together([await burst({ ingest, receivers, seconds, processes })]);
}
