import { kafka } from './kafka/describe.ts';

// What the rest of the product needs to know about the only kind of source, the records of Kafka topics.

export {
  brokerUrls,
  clusterFields,
  credentials as sourceCredentials,
  credentialsFault,
  topic as topicName,
} from './kafka/describe.ts';
export type { OpenReader, SourceReader } from './kafka/read.ts';
export type { ReadPart, ReadRecord } from './kafka/read-part.ts';

export const SOURCE_TYPE = kafka.type;

/** Loads the library for the first source. */
export const loadReader = () => import('./kafka/read.ts').then(({ openReader }) => openReader);
