import { catalogTools } from './catalog-tools.ts';
import { deliveryTools } from './delivery-tools.ts';
import { docsTool } from './docs-tool.ts';
import { endpointTools } from './endpoint-tools.ts';
import { eventTools } from './event-tools.ts';
import { statsTool } from './stats-tool.ts';
import type { Tool } from './tool.ts';

/** Every tool for agents. Tools that only read come first. */
export const tools: readonly Tool[] = [
  ...eventTools,
  ...deliveryTools,
  ...endpointTools,
  statsTool,
  ...catalogTools,
  docsTool,
].sort((one, other) => Number(one.changes) - Number(other.changes));
