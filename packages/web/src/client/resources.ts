import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

export type ApiKey = Schemas['ApiKey'];
export type Application = Schemas['Application'];
export type Attempt = Schemas['Attempt'];
export type AuditEntry = Schemas['AuditLogEntry'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type DeliveryStatus = Delivery['status'];
export type Endpoint = Schemas['Endpoint'];
export type Environment = Schemas['Environment'];
/** Its schema and example are always null today, and the client leaves such fields out. */
export type EventType = Omit<Schemas['EventType'], 'schema' | 'example'>;
export type EventTypeVisibility = Schemas['EventTypeVisibility'];
export type ManagementToken = Schemas['ManagementToken'];
export type Member = Schemas['Member'];
export type OwnWorkspace = Schemas['OwnWorkspace'];
export type PayloadEnvelope = Schemas['PayloadEnvelope'];
export type Role = Schemas['Role'];
export type Scope = Schemas['Scope'];
export type StatsPoint = Schemas['StatsPoint'];
export type StatsSeries = Schemas['StatsSeries'];
export type User = Schemas['User'];
