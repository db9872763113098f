import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

export type ApiKey = Schemas['ApiKey'];
export type Application = Schemas['Application'];
export type Attempt = Schemas['Attempt'];
export type AuditEntry = Schemas['AuditLogEntry'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type DeliveryStatus = Delivery['status'];
/** Its id is always null, and the client leaves such fields out. */
export type DryRun = Omit<Schemas['DryRun'], 'id'>;
export type DoctorReport = Schemas['DoctorReport'];
export type Endpoint = Schemas['Endpoint'];
export type EndpointRead = Schemas['EndpointRead'];
export type EndpointType = Schemas['EndpointType'];
export type EndpointConfig = Schemas['EndpointConfig'];
export type EndpointStats = Schemas['EndpointStats'];
export type Environment = Schemas['Environment'];
export type EnvironmentDiff = Schemas['EnvironmentDiff'];
export type Event = Schemas['Event'];
export type EventStatus = Event['status'];
export type EventType = Schemas['EventType'];
export type EventTypeVisibility = Schemas['EventTypeVisibilityRead'];
export type FilterAnswer = Schemas['TestFilterAnswer'];
export type SchemaMode = EventTypeVisibility['schemaMode'];
export type UpdatedEventType = Schemas['UpdatedEventType'];
export type OperationalEvent = Schemas['OperationalEvent'];
export type Operation = Schemas['Operation'];
export type OwnWorkspace = Schemas['OwnWorkspace'];
export type Quota = Schemas['Quota'];
export type PayloadEnvelope = Schemas['PayloadEnvelope'];
export type PromotedEndpoint = Schemas['PromotedEndpoint'];
export type Precheck = Schemas['Precheck'];
export type SkipReason = NonNullable<Schemas['PrecheckEndpointsItem']['reason']>;
export type TraceEntry = Schemas['EventTraceEndpointsItem'];
export type Subscription = Schemas['Subscription'];
export type LeasedMessage = Schemas['LeasedMessage'];
export type PullKey = Schemas['PullKey'];
export type ManagementToken = Schemas['ManagementToken'];
export type Member = Schemas['Member'];
export type Role = Schemas['Role'];
export type Scope = Schemas['Scope'];
export type Session = Schemas['Session'];
export type Stats = Schemas['Stats'];
/** Statistics by step: without `group_by` the answer has both. */
export type StatsSeries = Schemas['Stats'] & Required<Pick<Schemas['Stats'], 'series' | 'totals'>>;
export type User = Schemas['User'];
