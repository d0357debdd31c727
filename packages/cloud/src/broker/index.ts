export { type BatchReceiver, createBatchReceiver, type ReadBatch } from './batch-receiver.ts'
export type { BusReceiver, DeviceBus } from './device-bus.ts'
export { startEmbeddedBroker } from './embedded-broker.ts'
export { openMqttBus } from './mqtt-bus.ts'
