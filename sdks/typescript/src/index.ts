export { Posthorn } from './client.ts';
export {
  ApiError,
  type ApiErrorFields,
  BatchError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  OptionError,
  PosthornError,
  RateLimitedError,
  SecretNotShownError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
} from './errors.ts';
export {
  type AddressedEvent,
  ALL_APPLICATIONS,
  type AnyPayloads,
  type BatchOptions,
  type DirectSendOptions,
  type EventToSend,
  type SendOptions,
} from './ingestion.ts';
export type { List, Page } from './list.ts';
export type * from './models.ts';
export type { PosthornOptions } from './options.ts';
export type { Acknowledgement, GiveBack, PulledMessage, PullOptions } from './pull.ts';
export type { ChangeOptions, RequestOptions } from './resource.ts';
export type * from './resources.ts';
export { VERSION } from './version.ts';
