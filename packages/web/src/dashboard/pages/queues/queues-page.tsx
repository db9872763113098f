import { Group, Stack, Text } from '@mantine/core';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';

const SETTINGS = [
  'ADMIN_PORT=9465',
  'ADMIN_USER=admin',
  'ADMIN_PASSWORD=<at least 12 characters>',
  'BASE_URL=https://hooks.example.com  # each job links to its delivery here',
  '# ADMIN_WRITE=true lets the board retry and remove jobs',
].join('\n');

/** What the queues are, and where Bull Board shows them: at the operator's address, which this page cannot know. */
export function QueuesPage() {
  return (
    <Stack gap="md" maw={720}>
      <PageHeader title="Queues" line="The jobs behind the deliveries are for the operator of Posthorn." />
      <Text size="sm">
        Postgres holds every event and delivery. Redis holds the jobs that tell a dispatcher what to do next. A lost job
        is made again from Postgres, so the queues hold nothing that is not also a delivery.
      </Text>
      <Group gap="sm">
        <ButtonLink
          variant="default"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries"
          search={{ status: 'pending' }}
        >
          Pending deliveries
        </ButtonLink>
        <ButtonLink
          variant="default"
          from="/w/$workspace/$environment"
          to="/w/$workspace/$environment/deliveries"
          search={{ status: 'scheduled_retry' }}
        >
          Scheduled retries
        </ButtonLink>
      </Group>
      <Text size="sm">
        Each dispatcher serves Bull Board, a view of its jobs, at an address of its own behind a user and a password.
        Each job of a delivery links to the delivery’s page here. npm start prints the address and the password in its
        closing box, at “Queues”, and writes them to instance.json in its folder. Elsewhere the operator sets them for
        the dispatcher:
      </Text>
      <CodeBlock text={SETTINGS} what="the settings" />
      <Text size="sm">
        A delivery whose first attempt is made at once has no job, so the board does not show it. For the state of a
        delivery, look at its page.
      </Text>
    </Stack>
  );
}
