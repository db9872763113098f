import { createFileRegistry, type DescMethodUnary, fromJson } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';

// The part of google/pubsub/v1/pubsub.proto that is used. Google's client for Node resolves names, connects and gets
// tokens by itself, without the egress rules.

const text = { type: 'TYPE_STRING', label: 'LABEL_OPTIONAL' };
const file = fromJson(FileDescriptorProtoSchema, {
  name: 'google/pubsub/v1/pubsub.proto',
  package: 'google.pubsub.v1',
  syntax: 'proto3',
  messageType: [
    {
      name: 'PubsubMessage',
      field: [
        { name: 'data', number: 1, type: 'TYPE_BYTES', label: 'LABEL_OPTIONAL' },
        {
          ...{ name: 'attributes', number: 2, type: 'TYPE_MESSAGE', label: 'LABEL_REPEATED' },
          typeName: '.google.pubsub.v1.PubsubMessage.AttributesEntry',
        },
        { name: 'ordering_key', number: 5, ...text },
      ],
      nestedType: [
        {
          name: 'AttributesEntry',
          field: [
            { name: 'key', number: 1, ...text },
            { name: 'value', number: 2, ...text },
          ],
          options: { mapEntry: true },
        },
      ],
    },
    {
      name: 'PublishRequest',
      field: [
        { name: 'topic', number: 1, ...text },
        {
          ...{ name: 'messages', number: 2, type: 'TYPE_MESSAGE', label: 'LABEL_REPEATED' },
          typeName: '.google.pubsub.v1.PubsubMessage',
        },
      ],
    },
    {
      name: 'PublishResponse',
      field: [{ name: 'message_ids', number: 1, type: 'TYPE_STRING', label: 'LABEL_REPEATED' }],
    },
    { name: 'GetTopicRequest', field: [{ name: 'topic', number: 1, ...text }] },
    { name: 'Topic', field: [{ name: 'name', number: 1, ...text }] },
  ],
  service: [
    {
      name: 'Publisher',
      method: [
        {
          name: 'Publish',
          inputType: '.google.pubsub.v1.PublishRequest',
          outputType: '.google.pubsub.v1.PublishResponse',
        },
        { name: 'GetTopic', inputType: '.google.pubsub.v1.GetTopicRequest', outputType: '.google.pubsub.v1.Topic' },
      ],
    },
  ],
});
const service = createFileRegistry(file, () => undefined).getService('google.pubsub.v1.Publisher');

/** `Publish` answers with the ids of the stored messages. `GetTopic` succeeds only if the topic exists. */
export const publish = unary('publish');
export const getTopic = unary('getTopic');

function unary(name: string): DescMethodUnary {
  const method = service?.method[name];
  if (method?.methodKind !== 'unary') throw new Error(`no method ${name}`);
  return method as DescMethodUnary;
}
