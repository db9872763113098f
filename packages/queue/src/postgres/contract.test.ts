import { postgresMaker } from '../../contract/postgres-maker.ts';
import { queuesContract } from '../../contract/queues.contract.ts';

queuesContract(postgresMaker);
