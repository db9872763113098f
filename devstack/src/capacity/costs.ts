/** The cost of one event, delivery and attempt, by the last published benchmark (docs/benchmarks/run.json). */
export type Costs = {
  /** The commit and the day of the run. */
  measured: string;
  /** Seconds of CPU. `perExtraAttempt` is one after the first, which belongs to the delivery. */
  api: { perEvent: number };
  dispatcher: { perAttempt: number };
  postgres: { perEvent: number; perDelivery: number; perExtraAttempt: number };
  /** For a delivery that is a job. */
  redis: { perAttempt: number };
  /** Bytes, without the payload of an event. */
  wal: { perEvent: number; perDelivery: number; perExtraAttempt: number };
  disk: { perEvent: number; perDelivery: number; perAttempt: number };
  /** Bytes of resident memory of a process at full rate. */
  memory: { api: number; dispatcher: number };
};

/** The body of the load in docs/benchmarks.md: its bytes are part of the measured WAL and disk. */
const MEASURED_PAYLOAD_BYTES = 500;
const MICROSECOND = 1e-6;
const MEBIBYTE = 1024 * 1024;

type Run = {
  at: string;
  commit: string;
  figures: { scenario: string; figure: string; value: number }[];
  tables: { scenario: string; title: string; columns: string[]; rows: (string | number)[][] }[];
};

/** Reads the costs from the text of run.json; throws an Error that names a figure that it lacks. */
export function readCosts(text: string): Costs {
  const run = JSON.parse(text) as Run;
  const figure = (scenario: string, name: string): number => {
    const found = run.figures.find((one) => one.scenario === scenario && one.figure === name);
    if (found === undefined) throw new Error(`the run has no figure “${name}” of the scenario ${scenario}`);
    return found.value;
  };
  /** The value in the column, of the row whose first cell begins so. */
  const cell = (title: string, row: string, column: string): number => {
    const table = run.tables.find((one) => one.title.startsWith(title));
    const index = table?.columns.indexOf(column) ?? -1;
    const found = table?.rows.find(([first]) => String(first).startsWith(row))?.[index];
    if (typeof found !== 'number') throw new Error(`the run has no “${column}” of “${row}” in “${title}”`);
    return found;
  };
  const micro = (scenario: string, name: string) => figure(scenario, name) * MICROSECOND;
  const statementWal = (statement: string) => cell('Statements of Posthorn, an event', statement, 'WAL bytes');
  // Each delivery of a backlog is a job with a claim of its own, as a retry is.
  const claimedWal = (statement: string) =>
    cell('Statements, a delivery, nothing else waiting', statement, 'WAL bytes');
  const stored = (table: string) => cell('Bytes an event by table', table, 'live (rewritten)');

  // Ingestion alone gives the part of an event; the rest of a delivered event is its fan-out and first attempt.
  const postgresEvent = micro('ingest', 'CPU postgres, an event');
  const walEvent = statementWal('with wanted as');
  return {
    measured: `${run.commit.slice(0, 7)}, ${run.at.slice(0, 10)}`,
    api: { perEvent: micro('end-to-end', 'CPU api, an event') },
    dispatcher: { perAttempt: micro('end-to-end', 'CPU dispatcher, an event') },
    postgres: {
      perEvent: postgresEvent,
      perDelivery: micro('end-to-end', 'CPU postgres, an event') - postgresEvent,
      perExtraAttempt: micro('drain', 'CPU postgres, a delivery'),
    },
    redis: { perAttempt: micro('drain', 'CPU redis, a delivery') },
    wal: {
      perEvent: walEvent - MEASURED_PAYLOAD_BYTES,
      perDelivery: figure('storage', 'WAL an event') - walEvent,
      perExtraAttempt: claimedWal('with claimed as') + claimedWal('with result as'),
    },
    disk: {
      perEvent: stored('event') - MEASURED_PAYLOAD_BYTES,
      perDelivery: stored('delivery'),
      perAttempt: stored('attempt'),
    },
    memory: {
      api: figure('memory', 'api resident, full rate') * MEBIBYTE,
      dispatcher: figure('memory', 'dispatcher resident, full rate') * MEBIBYTE,
    },
  };
}
