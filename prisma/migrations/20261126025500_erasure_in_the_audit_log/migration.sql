-- The erasure of a customer ends in the audit log.
ALTER TYPE "operation_phase" ADD VALUE 'audit_log' BEFORE 'done';
