import { queuesContract } from '../../contract/queues.contract.ts';
import { redisMaker } from '../../contract/redis-maker.ts';

queuesContract(redisMaker);
