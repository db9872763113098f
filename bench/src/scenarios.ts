import type { Scenario } from './scenario.ts';
import { clients } from './scenarios/clients.ts';
import { coldStart } from './scenarios/cold-start.ts';
import { destinations } from './scenarios/destinations.ts';
import { drain } from './scenarios/drain.ts';
import { endToEnd } from './scenarios/end-to-end.ts';
import { erasure } from './scenarios/erasure.ts';
import { fanOut } from './scenarios/fan-out.ts';
import { fifo } from './scenarios/fifo.ts';
import { filters } from './scenarios/filters.ts';
import { hanging } from './scenarios/hanging.ts';
import { ingest } from './scenarios/ingest.ts';
import { latency } from './scenarios/latency.ts';
import { limited } from './scenarios/limited.ts';
import { listing } from './scenarios/listing.ts';
import { memory } from './scenarios/memory.ts';
import { oauth } from './scenarios/oauth.ts';
import { profile } from './scenarios/profile.ts';
import { proxy } from './scenarios/proxy.ts';
import { pull } from './scenarios/pull.ts';
import { recovery } from './scenarios/recovery.ts';
import { scaleOut } from './scenarios/scale-out.ts';
import { search } from './scenarios/search.ts';
import { shapes } from './scenarios/shapes.ts';
import { sources } from './scenarios/sources.ts';
import { storage } from './scenarios/storage.ts';
import { transformation } from './scenarios/transformation.ts';
import { verify } from './scenarios/verify.ts';
import { web } from './scenarios/web.ts';

/** All scenarios, in the order of a whole run. */
export const scenarios: readonly Scenario[] = [
  ingest,
  endToEnd,
  latency,
  shapes,
  fanOut,
  fifo,
  pull,
  filters,
  transformation,
  proxy,
  oauth,
  destinations,
  sources,
  hanging,
  limited,
  memory,
  storage,
  coldStart,
  scaleOut,
  profile,
  listing,
  search,
  drain,
  recovery,
  erasure,
  clients,
  verify,
  web,
];
