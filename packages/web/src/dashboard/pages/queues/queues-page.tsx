import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../client/api.ts';
import { CodeBlock } from '../../../components/code-block.tsx';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { meQuery } from '../../session.ts';

const SETTINGS = [
  'ADMIN_PORT=9465',
  'ADMIN_USER=admin',
  'ADMIN_PASSWORD=<at least 12 characters>',
  'BASE_URL=https://hooks.example.com  # the board links to each delivery here',
  'QUEUE_BOARD_URL=https://board.example.com  # of the API: the link on this page',
  '# ADMIN_WRITE=true lets the board retry and remove jobs, or pause queues',
].join('\n');

const READ_EVERY_MS = 10_000;

/** The queues, and the way to their board. */
export function QueuesPage() {
  return (
    <Stack gap="md" maw={720}>
      <PageHeader title="Queues" line="The work behind the deliveries is for the operator of Posthorn." />
      <Text size="sm">
        Postgres holds every event and delivery. Redis, if it is used, holds the jobs that tell a dispatcher what to do
        next. A lost job is created again from Postgres, so nothing is lost when Redis loses its data.
      </Text>
      <Place />
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
        Each dispatcher serves a board of the queues at an address of its own, behind a user and a password: Bull Board
        shows the jobs of Redis, and without Redis a page shows the rows of Postgres. Both link to the deliveries’ pages
        here.
      </Text>
      <Board />
      <Text size="sm">
        A delivery whose first attempt is made at once does not wait, so the board does not show it. For the state of a
        delivery, look at its page.
      </Text>
    </Stack>
  );
}

/** Where the queues are. While processes differ, it says what that may cost. */
function Place() {
  const { data: readiness } = useQuery({ ...api.queryOptions('get', '/readyz'), refetchInterval: READ_EVERY_MS });
  switch (readiness?.queue) {
    case 'redis':
      return <Text size="sm">The queues are in Redis.</Text>;
    case 'postgres':
      return <Text size="sm">The queues are in Postgres.</Text>;
    case 'mixed':
      return (
        <Alert
          color="yellow"
          title="Mixed: some processes have their queues in Redis, others in Postgres"
          role="status"
        >
          Nothing is lost. While dispatchers of both run, an endpoint may get up to twice its rate limit.
        </Alert>
      );
    default:
      return null;
  }
}

/** The way to the board, or the settings that give it an address. */
function Board() {
  const { data: me } = useQuery(meQuery());
  if (me === undefined) return null;
  if (me.queueBoardUrl === null) {
    return (
      <>
        <Text size="sm">The operator sets its address and password for the dispatcher, and the address here:</Text>
        <CodeBlock text={SETTINGS} what="the settings" />
      </>
    );
  }
  return (
    <>
      <Group gap="sm">
        <Button component="a" href={me.queueBoardUrl} target="_blank" rel="noreferrer">
          Open the queue board
        </Button>
      </Group>
      <Text size="sm">
        The operator has its user and password. npm start prints them in its closing box, at “Queues”.
      </Text>
    </>
  );
}
