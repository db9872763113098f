/** Stops and starts the stores of this run. */
export type OwnStores = (store: 'postgres' | 'redis' | 'second-redis', act: 'start' | 'stop' | 'kill') => Promise<void>;

/** Sends requests to the parent process, which runs the stores. Undefined without such a parent. */
export function ownStores(): OwnStores | undefined {
  const send = process.send?.bind(process);
  if (send === undefined || process.env.FAULTS_OWN_STORES !== 'true') return undefined;
  let asked = 0;
  return (store, act) =>
    new Promise((resolve, reject) => {
      asked += 1;
      const id = asked;
      const listen = (reply: { id: number; error?: string }) => {
        if (reply.id !== id) return;
        process.off('message', listen);
        if (reply.error === undefined) resolve();
        else reject(new Error(`${store} ${act}: ${reply.error}`));
      };
      process.on('message', listen);
      send({ id, store, act });
    });
}
