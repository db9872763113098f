import { TextInput } from '@mantine/core';
import { addressOf } from '../../../components/destination/address-of.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { usePlace } from '../../place.ts';
import { mayAdminister, mayChange } from '../../role.ts';
import { commandsOf } from './commands.ts';
import { EXAMPLE_CUSTOMER } from './example.ts';
import { PasteSecret, shortSecret } from './paste-secret.tsx';
import { Step, type StepProps } from './step.tsx';
import type { GetStarted } from './use-get-started.ts';
import { useSteps } from './use-steps.ts';

/** The steps. Each becomes ready when the steps before it are done. */
export function Steps({ state }: { state: GetStarted }) {
  const place = usePlace();
  const run = useSteps(state);
  const { typeName, type, endpoint, inbox } = state;
  const known = {
    baseUrl: window.location.origin,
    workspaceId: place.workspace.id,
    environmentId: place.environment.id,
  };
  const commands = commandsOf({ ...state, ...known });
  const hasArrived = inbox.some(isDelivered);
  const hasCustomers = state.application !== '*';
  const words = (action: string) => (mayChange(place) ? action : undefined);
  return (
    <>
      <Step
        number={1}
        title="Create and publish an event type"
        sentence="An event type names what happened. It is delivered in the environments in which it is published."
        action={words('Create event type')}
        run={run.createType}
        isReady
        result={type && <span className="mono">{type.name}</span>}
        command={commands.type}
      >
        <TypeName state={state} />
      </Step>
      <Step
        number={2}
        title={hasCustomers ? 'Add a customer and an endpoint' : 'Add an endpoint'}
        sentence={`A playground is an endpoint without a server: Posthorn answers instead. It subscribes to ${typeName}${hasCustomers ? `, and belongs to the customer ${EXAMPLE_CUSTOMER.name}` : ''}.`}
        action={words('Add playground')}
        run={run.createEndpoint}
        isReady={type !== undefined}
        result={endpoint && <span className="mono">{addressOf(endpoint)}</span>}
        command={commands.endpoint}
      />
      <KeyStep state={state} run={run.createKey} command={commands.key} hasArrived={hasArrived} />
      <SendSteps state={state} run={run} commands={commands} hasArrived={hasArrived} />
    </>
  );
}

type KeyStepProps = { state: GetStarted; run: StepProps['run']; command: string; hasArrived: boolean };

function KeyStep({ state, run, command, hasArrived }: KeyStepProps) {
  const isAdmin = mayAdminister(usePlace());
  const { apiKey } = state;
  return (
    <Step
      number={3}
      title="Get an API key"
      sentence={keySentence(isAdmin, hasArrived && apiKey === undefined)}
      action={isAdmin ? 'Create API key' : undefined}
      run={run}
      isReady={state.endpoint !== undefined}
      result={apiKey && <span className="mono">{shortSecret(apiKey)}</span>}
      command={command}
    >
      <PasteSecret label="Or paste a key" prefix="phk_" onSecret={state.setApiKey} />
    </Step>
  );
}

type SendStepsProps = {
  state: GetStarted;
  run: ReturnType<typeof useSteps>;
  commands: ReturnType<typeof commandsOf>;
  hasArrived: boolean;
};

function SendSteps({ state, run, commands, hasArrived }: SendStepsProps) {
  const { apiKey, inbox } = state;
  const retried = inbox.find(({ totalAttempts }) => totalAttempts > 1);
  const isDone = retried !== undefined && isDelivered(retried);
  const hasKey = apiKey !== undefined;
  const isEditor = mayChange(usePlace());
  const mayFail = hasKey && isEditor && (retried === undefined || isDone);
  return (
    <>
      <Step
        number={4}
        title="Send an event"
        sentence={`The answer is 202 as soon as the event is stored. Then it goes to every endpoint ${state.application === '*' ? '' : 'of the customer '}that subscribes.`}
        action={hasKey ? 'Send event' : undefined}
        run={run.send}
        isReady={hasKey || hasArrived}
        result={hasArrived ? 'It arrived in the inbox.' : undefined}
        command={commands.send}
      />
      <Step
        number={5}
        title="Watch it fail, and arrive"
        sentence="The playground now fails the first two attempts of each event. Posthorn tries again after 2 and 4 seconds."
        action={mayFail ? 'Fail twice and send' : undefined}
        run={run.fail}
        isReady={(hasKey && hasArrived) || isDone}
        result={isDone ? `It arrived with attempt ${retried.totalAttempts}.` : undefined}
        command={`${commands.fail}\n\n${commands.send}`}
      />
      {retried === undefined ? null : (
        <li>
          <ButtonLink
            variant={isDone ? 'filled' : 'default'}
            size="sm"
            from="/w/$workspace/$environment"
            to="/w/$workspace/$environment/deliveries/$deliveryId"
            params={{ deliveryId: retried.id }}
          >
            See every attempt of this delivery
          </ButtonLink>
        </li>
      )}
    </>
  );
}

function TypeName({ state }: { state: GetStarted }) {
  return (
    <TextInput
      label="Name"
      disabled={state.type !== undefined}
      value={state.typeName}
      onChange={({ currentTarget }) => state.setTypeName(currentTarget.value.trim())}
    />
  );
}

function isDelivered({ status }: { status: string }): boolean {
  return status === 'delivered';
}

/**
 * After a reload, later steps are still done. `isForgotten` explains why this one is not: the key was only in memory.
 */
function keySentence(mayCreate: boolean, isForgotten: boolean): string {
  const rule = 'A key sends events to this environment alone.';
  const memory = isForgotten
    ? 'Events have arrived already, but this page forgets a key when it is left. To send more events, create a key again.'
    : 'It is shown once, and this page forgets it when it is left.';
  return `${rule} ${memory}${mayCreate ? '' : ' An admin or an owner can create one.'}`;
}
