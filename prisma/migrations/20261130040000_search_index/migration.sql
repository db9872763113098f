-- AlterEnum
ALTER TYPE "operation_type" ADD VALUE 'search_index';

-- AlterEnum
ALTER TYPE "operation_phase" ADD VALUE 'search_index' BEFORE 'done';
