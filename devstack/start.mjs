// `npm start`: runs all of Posthorn on this machine.
import { checkPort } from './check-port.mjs';
import { prepare } from './prepare.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments(
  `usage: npm start [-- --one | --scaled]

Runs all of Posthorn on this machine, and delivers a demo event. Ctrl-C stops it. It uses Redis where one
is installed or can be unpacked; where none is at hand, one process works with Postgres alone. --one forces that anywhere, with
Redis only if REDIS_URL names one. --scaled refuses to start without Redis. It takes settings from the environment:

  PORT             the port of the API and the pages (default 3000, or the next one that is free)
  POSTHORN_HOME    the folder of its data (default .posthorn in the checkout)
  DISPATCHERS      the number of dispatchers (default 1)
  DATABASE_URL     a Postgres to use instead of its own
  REDIS_URL        a Redis to use instead of its own

docs/reference/settings.md has the settings of the services, which it passes on.
`,
  ['--one', '--scaled'],
);
await checkPort(process.env);
// The programs of README.md use the library.
await prepare({ projects: ['services/api', 'services/dispatcher', 'devstack', 'sdks/typescript'], web: true });
await import('./dist/start.js');
