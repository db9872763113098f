import type { components } from '../generated/api.ts';

type Schemas = components['schemas'];

export type Attempt = Schemas['Attempt'];
export type Delivery = Schemas['Delivery'];
export type DeliveryDetail = Schemas['DeliveryDetail'];
export type DeliveryStatus = Delivery['status'];
export type DoctorReport = Schemas['DoctorReport'];
export type Endpoint = Schemas['Endpoint'];
export type EndpointConfig = Schemas['EndpointConfig'];
export type Environment = Schemas['Environment'];
/** Its schema and example are always null today, and the client leaves such fields out. */
export type EventType = Omit<Schemas['EventType'], 'schema' | 'example'>;
export type EventTypeVisibility = Schemas['EventTypeVisibility'];
export type OwnWorkspace = Schemas['OwnWorkspace'];
export type PayloadEnvelope = Schemas['PayloadEnvelope'];
export type Subscription = Schemas['Subscription'];
export type User = Schemas['User'];
