export { sendChain } from './chain.ts'
export { sendCsv } from './csv.ts'
export { createEventStreams, type EventStream, type EventStreams } from './event-stream.ts'
