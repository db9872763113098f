-- The erasure of a customer also erases operational events that have an address of its endpoints.
ALTER TYPE "operation_phase" ADD VALUE 'operational_events' BEFORE 'audit_log';
