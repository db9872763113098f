export { Posthorn } from './client.ts';
export {
  ApiError,
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
export type * from './generated/models.ts';
export type * from './generated/resources.ts';
export type { SendOptions } from './ingestion.ts';
export type { List, Page } from './list.ts';
export type { PosthornOptions } from './options.ts';
export type { ChangeOptions, RequestOptions } from './resource.ts';
export { VERSION } from './version.ts';
