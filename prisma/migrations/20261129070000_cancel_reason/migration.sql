-- Why a transformation cancelled the event. It may repeat the payload, so it is erased with it.
ALTER TABLE "delivery" ADD COLUMN "cancel_reason" TEXT;
